#include "heuristics/order_fit.h"

#include "core/memory.h"
#include "heuristics/order.h"
#include "planning/fit.h"

struct placer {
    const struct problem *problem;
    const struct conflicts *conflicts;
    const struct fit *fit;
    struct plan *plan;
    struct interval *taken; /* [most conflicts of one buffer] */
};

static void place_fixed(struct placer *placer)
{
    for (uint32_t b = 0; b < placer->problem->buffers; b++)
        placer->plan->offset[b] = placer->problem->fixed_offset[b];
}

static enum status place_in_order(struct placer *placer, const uint32_t *sorted,
                                  struct error *error)
{
    place_fixed(placer);
    for (uint32_t i = 0; i < placer->problem->buffers; i++)
        if (placer->plan->offset[sorted[i]] == PROBLEM_FREE)
            TRY(fit_place(placer->fit, placer->problem, placer->conflicts, sorted[i], placer->taken,
                          placer->plan, error));
    placer->plan->status = PLAN_FEASIBLE;
    return plan_set_peak(placer->plan, placer->problem, error);
}

enum status order_fit_plan(const struct planner *planner, const struct planner_task *task,
                           struct plan *plan, struct error *error)
{
    const struct order_fit *rule = planner->rule;
    struct placer placer = {.problem = task->problem, .fit = fit_find(rule->fit), .plan = plan};
    struct conflicts *conflicts = NULL;
    uint32_t *sorted = NULL;
    enum status status;
    TRY_OR_DONE(status, conflicts_create(task->problem, &conflicts, error));
    placer.conflicts = conflicts;
    TRY_OR_DONE(status, memory_create(&placer.taken, fit_most_taken(task->problem, conflicts),
                                      sizeof *placer.taken, error));
    TRY_OR_DONE(status, memory_create(&sorted, task->problem->buffers, sizeof *sorted, error));
    TRY_OR_DONE(status,
                order_sort(order_find(rule->order), task->problem, conflicts, sorted, error));
    TRY_OR_DONE(status, place_in_order(&placer, sorted, error));
done:
    memory_free(sorted);
    memory_free(placer.taken);
    conflicts_free(conflicts);
    return status;
}
