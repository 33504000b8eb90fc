#include "harness/memories/run.h"

#include <inttypes.h>

#include "core/clock.h"
#include "harness/catalogue/planners.h"
#include "planning/verify/memories/memories.h"

enum status memory_run_planner(const struct memory_problem *problem,
                               const struct memory_planner *planner, const struct memory_run *run,
                               struct memory_plan *plan, struct error *error)
{
    SCOPED(memory_model_release) struct memory_model *model = NULL;
    struct memory_verdict verdict;
    TRY(memory_model_create(problem, &model, error));
    const struct memory_task task = {.model = model,
                                     .deadline_ns = clock_deadline_ns(run->time_limit_ns),
                                     .seed = run->seed,
                                     .rounds = run->rounds,
                                     .exact = planners_find("exact"),
                                     .best = planners_find("best")};
    TRY(memory_planner_plan(planner, &task, plan, error));
    if (!memory_plan_found(plan))
        return STATUS_OK;
    TRY(verify_memories(problem, plan, &verdict, error));
    if (!verdict.valid)
        return error_set(error, STATUS_INTERNAL, "%s made a wrong plan: %s", planner->name,
                         verdict.text);
    if (verdict.cost != plan->cost || plan->cost < plan->cost_bound)
        return error_set(error, STATUS_INTERNAL,
                         "%s says that its plan costs %" PRIu64 ", at least %" PRIu64
                         ", and it costs %" PRIu64 " thousandths",
                         planner->name, plan->cost, plan->cost_bound, verdict.cost);
    return STATUS_OK;
}
