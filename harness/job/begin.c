#include "harness/job/begin.h"

#include "harness/job/pinned.h"

enum status job_begin(const struct job *job, struct outcome *outcome, struct error *error)
{
    const struct graph *graph = job->instance->graph;
    if (!graph)
        return plan_create(job->instance->problem, &outcome->plan, error);
    TRY(placement_create(graph, &outcome->placement, error));
    SCOPED(pinned_clear) struct pinned pinned = {.offset = NULL};
    if (job->pin_io) {
        TRY(pinned_create(job, &pinned, error));
        graph = &pinned.graph; /* where nothing is written in place of what is pinned */
    }
    return inplace_apply(graph, &job->inplace, outcome->placement, error);
}
