/* memplan_verify and memplan_verify_graph: the checks of planning/verify on offsets of the
   caller. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/answer.h"
#include "api/graph.h"
#include "api/problem.h"
#include "planning/verify/describe.h"
#include "planning/verify/paths/paths.h"
#include "planning/verify/problem/plan.h"

/* Takes over the verdict, which the message describes where it is a fault, and compares the peak
   with the capacity. */
static void take_verdict(const struct verdict *verdict, uint64_t capacity_bytes,
                         struct api_call *call)
{
    struct memplan_answer *answer = &call->answer;
    call->result = verdict->fault == VERIFY_SAMPLED ? MEMPLAN_SAMPLED : MEMPLAN_FOUND;
    if (verdict->fault != VERIFY_VALID && verdict->fault != VERIFY_SAMPLED) {
        bool pair = verdict->fault == VERIFY_OVERLAP || verdict->fault == VERIFY_DEVICES;
        call->result = MEMPLAN_WRONG;
        answer->first = verdict->fault == VERIFY_WRONG_COUNT ? MEMPLAN_NOBODY : verdict->first;
        answer->second = pair ? verdict->second : MEMPLAN_NOBODY;
        answer->step = verdict->fault == VERIFY_OVERLAP ? verdict->step : MEMPLAN_NOBODY;
    } else if (capacity_bytes && answer->peak_bytes > capacity_bytes) {
        snprintf(answer->message, sizeof answer->message,
                 "found a peak of %" PRIu64 " bytes, expected at most the capacity, %" PRIu64,
                 answer->peak_bytes, capacity_bytes);
        call->result = MEMPLAN_GAVE_UP;
    }
}

/* Checks the offsets and fills the answer. The peak is set unless a buffer ends beyond 2^64, which
   the verdict then says. */
static enum status verify_offsets(struct api_call *call)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    struct memplan_answer *answer = &call->answer;
    struct verdict verdict;
    struct error ignored;
    TRY(api_problem_create(&call->problem, &problem, &call->error));
    TRY(plan_create(problem, &plan, &call->error));
    memcpy(plan->offset, answer->offset, problem->buffers * sizeof *plan->offset);
    plan->status = PLAN_FEASIBLE;
    if (plan_set_peak(plan, problem, &ignored) == STATUS_OK)
        answer->peak_bytes = plan->measures.peak_bytes;
    TRY(verify_plan(problem, plan, &verdict, &call->error));
    TRY(plan_complete(plan, problem, &call->error));
    answer->lower_bound_bytes = plan->measures.lower_bound_bytes;
    if (verdict.fault != VERIFY_VALID)
        verify_describe(problem, plan, &verdict, answer->message, sizeof answer->message);
    take_verdict(&verdict, call->problem.capacity_bytes, call);
    return STATUS_OK;
}

/* Does the same for a graph, but looks for no bound. */
static enum status verify_tensors(struct api_call *call)
{
    SCOPED(api_graph_clear) struct api_graph graph = {.instance = {.graph = NULL}};
    SCOPED(placement_release) struct placement *placement = NULL;
    struct memplan_answer *answer = &call->answer;
    struct verdict verdict;
    TRY(api_graph_create(&call->graph, &graph, &call->error));
    const struct graph *read = graph.instance.graph;
    TRY(placement_create(read, &placement, &call->error));
    TRY(inplace_apply(read, &graph.job.inplace, placement, &call->error));
    memcpy(placement->offset, answer->offset, read->tensors * sizeof *placement->offset);
    TRY(placement_find_peak(read, placement, &placement->measures.peak_bytes, &call->error));
    answer->peak_bytes = placement->measures.peak_bytes;
    placement->status = PLAN_FEASIBLE;
    TRY(verify_paths(read, placement, &verdict, &call->error));
    const struct verdict aligned = verify_alignment(read, placement, graph.job.alignment_bytes);
    if (aligned.fault && (verdict.fault == VERIFY_VALID || verdict.fault == VERIFY_SAMPLED))
        verdict = aligned;
    if (verdict.fault != VERIFY_VALID)
        verify_paths_describe(read, placement, &verdict, answer->message, sizeof answer->message);
    take_verdict(&verdict, call->graph.capacity_bytes, call);
    return STATUS_OK;
}

enum memplan_result memplan_verify(const struct memplan_problem *problem,
                                   struct memplan_answer *answer)
{
    struct api_call call;
    enum status status = api_call_begin_problem(problem, answer, &call);
    if (!status)
        status = verify_offsets(&call);
    return api_call_end(&call, status, answer);
}

enum memplan_result memplan_verify_graph(const struct memplan_graph *graph,
                                         struct memplan_answer *answer)
{
    struct api_call call;
    enum status status = api_call_begin_graph(graph, answer, &call);
    if (!status)
        status = verify_tensors(&call);
    return api_call_end(&call, status, answer);
}
