#include "planning/stream_checks.h"

#include "planning/execute/execute.h"
#include "planning/lowering/level.h"
#include "planning/placing.h"
#include "planning/verify/paths/paths.h"
#include "support/must.h"
#include "support/testing.h"

/* Execution knows which turn of a loop is the last that reads something. */
static bool has_loops(const struct graph *graph)
{
    for (uint32_t o = 0; o < graph->operators; o++)
        if (graph->op[o].loop)
            return true;
    return false;
}

bool stream_checks_accept(const struct graph *graph, const struct placement *placement)
{
    struct verdict verdict;
    struct execution execution;
    error = ERROR_NONE;
    must(verify_paths(graph, placement, &verdict, &error));
    must(execute_placement(graph, placement, &EXECUTE_DEFAULTS, &execution, &error));
    CU_ASSERT(execution.intact || verdict.fault != VERIFY_VALID);
    CU_ASSERT(verdict.fault == VERIFY_VALID || !execution.intact || has_loops(graph));
    return verdict.fault == VERIFY_VALID;
}

static enum status plan_first_fit(void *context, const struct level *level, struct plan *plan,
                                  struct error *found)
{
    (void)context;
    plan->status = PLAN_FEASIBLE;
    TRY(placing_first_fit(level->problem, plan, found));
    return plan_set_peak(plan, level->problem, found);
}

struct placement *stream_checks_plan(const struct graph *graph, const struct policy *policy)
{
    const struct level_planner planner = {.plan = plan_first_fit, .alignment_bytes = 1};
    struct placement *placement;
    error = ERROR_NONE;
    must(placement_create(graph, &placement, &error));
    must(policy_place(policy, graph, &planner, placement, &error));
    return placement;
}
