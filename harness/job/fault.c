#include "harness/job/fault.h"

#include "planning/verify/describe.h"

bool fault_found(const struct job *job, const struct outcome *outcome)
{
    bool is_unsafe =
        job->planner->flags & PLANNER_UNSAFE || (job->policy && job->policy->flags & POLICY_UNSAFE);
    return outcome->status == PLAN_CRASH || outcome->proof.state == PROOF_REFUSED ||
           (outcome_found(outcome) && !outcome_is_good(outcome) && !is_unsafe);
}

enum status fault_describe(const struct job *job, const struct outcome *outcome, char *text,
                           size_t text_bytes, struct error *error)
{
    const struct graph *graph = job->instance->graph;
    SCOPED(graph_release) struct graph *launched = NULL;
    if (outcome->plan) {
        verify_describe(job->instance->problem, outcome->plan, &outcome->verdict, text, text_bytes);
        return STATUS_OK;
    }
    TRY(job_launch(job, outcome->placement, &launched, error));
    if (launched)
        graph = launched;
    if (!outcome->execution.intact && graph_has_control_flow(graph))
        return execute_describe(&(struct executed){graph, outcome->placement, &outcome->execution},
                                text, text_bytes, error);
    verify_paths_describe(graph, outcome->placement, &outcome->verdict, text, text_bytes);
    return STATUS_OK;
}
