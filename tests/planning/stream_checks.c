#include "planning/stream_checks.h"

#include "planning/execute/execute.h"
#include "planning/lowering/level.h"
#include "planning/placing.h"
#include "planning/verify/paths.h"
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
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL_FATAL(verify_paths(graph, placement, &verdict, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(
        execute_placement(graph, placement, &EXECUTE_DEFAULTS, &execution, &error), STATUS_OK);
    CU_ASSERT(execution.intact || verdict.fault != VERIFY_VALID);
    CU_ASSERT(verdict.fault == VERIFY_VALID || !execution.intact || has_loops(graph));
    return verdict.fault == VERIFY_VALID;
}

static enum status plan_first_fit(void *context, const struct level *level, struct plan *plan,
                                  struct error *error)
{
    (void)context;
    plan->status = PLAN_FEASIBLE;
    TRY(placing_first_fit(level->problem, plan, error));
    return plan_set_peak(plan, level->problem, error);
}

struct placement *stream_checks_plan(const struct graph *graph, const struct policy *policy)
{
    const struct level_planner planner = {.plan = plan_first_fit, .alignment_bytes = 1};
    struct placement *placement;
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL_FATAL(placement_create(graph, &placement, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(policy_place(policy, graph, &planner, placement, &error), STATUS_OK);
    return placement;
}
