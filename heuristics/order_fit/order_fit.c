#include "heuristics/order_fit/order_fit.h"

#include "core/memory.h"
#include "heuristics/common/order.h"
#include "planning/arena/occupancy.h"

enum status order_fit_plan(const struct planner *planner, const struct planner_task *task,
                           struct plan *plan, struct error *error)
{
    const struct order_fit *rule = planner->rule;
    const struct problem *problem = task->problem;
    struct occupancy *occupancy = NULL;
    uint32_t *sorted = NULL;
    enum status status;
    TRY_OR_DONE(status, memory_create(&sorted, problem->buffers, sizeof *sorted, error));
    TRY_OR_DONE(status, order_sort(order_find(rule->order), problem, task->seed, sorted, error));
    TRY_OR_DONE(status, occupancy_create(problem, &occupancy, error));
    TRY_OR_DONE(status,
                occupancy_place_all(occupancy, fit_find(rule->fit), sorted, plan->offset, error));
    plan->status = PLAN_FEASIBLE;
    TRY_OR_DONE(status, plan_set_peak(plan, problem, error));
done:
    memory_free(sorted);
    occupancy_free(occupancy);
    return status;
}
