/* memplan_plan and memplan_plan_graph: a job of harness/job on what the caller gave. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/answer.h"
#include "api/graph.h"
#include "api/planners.h"
#include "api/problem.h"
#include "harness/explanation/explanation.h"
#include "harness/job/fault.h"
#include "harness/job/run.h"

static const uint64_t default_time_limit_ns = 1000000000;

/* Adds what stands in the way of a plan within the capacity: the step with the most live bytes and
   the two largest buffers there. */
static enum status add_section(const struct job *job, struct memplan_answer *answer,
                               struct error *error)
{
    SCOPED(explanation_clear) struct explanation found = {0};
    TRY(explanation_find_section(job, &found, error));
    const struct problem *problem = found.problem;
    uint32_t largest[2] = {MEMPLAN_NOBODY, MEMPLAN_NOBODY};
    uint64_t bytes[2] = {0, 0};
    for (uint32_t b = 0; problem && b < problem->buffers; b++) {
        uint64_t live_bytes = explanation_live_bytes(problem, b, found.load_step);
        int at = live_bytes > bytes[0] ? 0 : 1;
        if (live_bytes <= bytes[1])
            continue;
        bytes[1] = at ? live_bytes : bytes[0];
        largest[1] = at ? b : largest[0];
        bytes[0] = at ? bytes[0] : live_bytes;
        largest[0] = at ? largest[0] : b;
    }
    if (!bytes[0])
        return STATUS_OK;
    size_t used = strlen(answer->message);
    answer->step = found.load_step;
    used += (size_t)snprintf(answer->message + used, sizeof answer->message - used,
                             ": step %" PRIu32 " has %" PRIu64 " live bytes", answer->step,
                             found.load_bytes);
    for (int i = 0; i < 2 && bytes[i]; i++) {
        uint32_t *number = i ? &answer->second : &answer->first;
        *number = found.whole.made.level ? found.whole.made.level->tensor[largest[i]] : largest[i];
        if (used < sizeof answer->message)
            used += (size_t)snprintf(answer->message + used, sizeof answer->message - used,
                                     "%s'%s' (%" PRIu64 ")", i ? " and " : ", among them ",
                                     names_get(&problem->names, largest[i]), bytes[i]);
    }
    return STATUS_OK;
}

/* Fills the answer with what the job found. */
static enum status take_outcome(const struct job *job, const struct outcome *outcome,
                                struct api_call *call)
{
    static const struct {
        enum memplan_result result;
        const char *reason; /* why there is no plan, where the outcome does not say it */
    } rows[PLAN_STATUSES] = {
        [PLAN_OPTIMAL] = {MEMPLAN_OPTIMAL, ""},
        [PLAN_FEASIBLE] = {MEMPLAN_FOUND, ""},
        [PLAN_INFEASIBLE] = {MEMPLAN_INFEASIBLE, "no plan fits the capacity"},
        [PLAN_TIMEOUT] = {MEMPLAN_TIMEOUT, "time limit"},
        [PLAN_UNSUPPORTED] = {MEMPLAN_UNSUPPORTED,
                              "the planner cannot do this problem, or is not part of this build"},
        [PLAN_GAVE_UP] = {MEMPLAN_GAVE_UP, "found no plan within the capacity"},
        [PLAN_MEMOUT] = {MEMPLAN_NO_MEMORY, "no memory"},
        [PLAN_CRASH] = {MEMPLAN_FAILED, "the planner crashed"}};
    const struct outcome_places places = outcome_places(outcome);
    struct memplan_answer *answer = &call->answer;
    bool found = outcome_found(outcome);
    call->result = rows[outcome->status].result;
    snprintf(answer->message, sizeof answer->message, "%s",
             *outcome->stop_reason ? outcome->stop_reason : rows[outcome->status].reason);
    answer->lower_bound_bytes = outcome->measures.lower_bound_bytes;
    answer->nodes = outcome->measures.nodes;
    if (!found && outcome->verdict.fault == VERIFY_VALID && job->capacity_bytes != UINT64_MAX &&
        (call->result == MEMPLAN_INFEASIBLE || call->result == MEMPLAN_GAVE_UP))
        return add_section(job, answer, &call->error);
    if (outcome->verdict.fault == VERIFY_OVERLAP) {
        answer->first = outcome->verdict.first;
        answer->second = outcome->verdict.second;
        answer->step = outcome->verdict.step;
    }
    if (found && *places.extents && (*places.extents)->count > 0) {
        /* The caller's structure has no room for extents. */
        call->result = MEMPLAN_UNSUPPORTED;
        snprintf(answer->message, sizeof answer->message,
                 "the plan splits buffers, which the library cannot tell");
    } else if (found && !outcome_is_good(outcome)) {
        bool sampled = outcome->verdict.fault == VERIFY_SAMPLED && outcome->execution.intact;
        call->result = sampled ? MEMPLAN_SAMPLED : MEMPLAN_WRONG;
        TRY(fault_describe(job, outcome, answer->message, sizeof answer->message, &call->error));
    }
    if (call->result > MEMPLAN_OPTIMAL && call->result != MEMPLAN_SAMPLED)
        return STATUS_OK;
    answer->peak_bytes = outcome->measures.peak_bytes;
    memcpy(answer->offset, places.offset, places.items * sizeof *answer->offset);
    return STATUS_OK;
}

static enum status run_job(const char *name, struct job *job, struct api_call *call)
{
    SCOPED(planner_release) struct planner *planner = NULL;
    SCOPED(outcome_clear) struct outcome outcome = {0};
    TRY(api_planner_create(name, &planner, &call->error));
    job->planner = planner;
    job->capacity_bytes = job->capacity_bytes ? job->capacity_bytes : UINT64_MAX;
    job->time_limit_ns = job->time_limit_ns ? job->time_limit_ns : default_time_limit_ns;
    job->options = "";
    TRY(job_run(job, &outcome, &call->error));
    return take_outcome(job, &outcome, call);
}

static enum status plan_problem(const char *planner, struct api_call *call)
{
    const struct memplan_problem *given = &call->problem;
    SCOPED(problem_release) struct problem *problem = NULL;
    TRY(api_problem_create(given, &problem, &call->error));
    const struct instance instance = {.problem = problem};
    struct job job = {.instance = &instance,
                      .capacity_bytes = given->capacity_bytes,
                      .time_limit_ns = given->time_limit_ns,
                      .threads = given->threads,
                      .seed = given->seed};
    return run_job(planner, &job, call);
}

static enum status plan_graph(const char *planner, struct api_call *call)
{
    SCOPED(api_graph_clear) struct api_graph graph = {.instance = {.graph = NULL}};
    TRY(api_graph_create(&call->graph, &graph, &call->error));
    return run_job(planner, &graph.job, call);
}

enum memplan_result memplan_plan(const char *planner, const struct memplan_problem *problem,
                                 struct memplan_answer *answer)
{
    struct api_call call;
    enum status status = api_call_begin_problem(problem, answer, &call);
    call.answer.nodes = 0;
    if (!status)
        status = plan_problem(planner, &call);
    return api_call_end(&call, status, answer);
}

enum memplan_result memplan_plan_graph(const char *planner, const struct memplan_graph *graph,
                                       struct memplan_answer *answer)
{
    struct api_call call;
    enum status status = api_call_begin_graph(graph, answer, &call);
    call.answer.nodes = 0;
    if (!status)
        status = plan_graph(planner, &call);
    return api_call_end(&call, status, answer);
}
