#include "harness/job/fault.h"

#include "planning/execute/execute.h"
#include "planning/verify/describe.h"

static bool is_unsafe(const struct job *job)
{
    return job->planner->flags & PLANNER_UNSAFE ||
           (job->policy && job->policy->flags & POLICY_UNSAFE);
}

bool fault_found(const struct job *job, const struct outcome *outcome)
{
    return outcome->status == PLAN_CRASH ||
           (outcome_found(outcome) && !outcome_is_good(outcome) && !is_unsafe(job));
}

static enum status describe_graph(const struct graph *graph, const struct outcome *outcome,
                                  char *text, size_t text_bytes, struct error *error)
{
    if (!outcome->execution.intact && graph_has_control_flow(graph))
        return execute_describe(&(struct executed){graph, outcome->placement, &outcome->execution},
                                text, text_bytes, error);
    verify_paths_describe(graph, outcome->placement, &outcome->verdict, text, text_bytes);
    return STATUS_OK;
}

enum status fault_describe(const struct job *job, const struct outcome *outcome, char *text,
                           size_t text_bytes, struct error *error)
{
    const struct instance *instance = job->instance;
    SCOPED(graph_release) struct graph *launched = NULL;
    if (outcome->plan) {
        verify_describe(instance->problem, outcome->plan, &outcome->verdict, text, text_bytes);
        return STATUS_OK;
    }
    TRY(job_launch(job, outcome->placement, &launched, error));
    return describe_graph(launched ? launched : instance->graph, outcome, text, text_bytes, error);
}
