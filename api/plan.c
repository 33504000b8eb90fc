/* memplan_plan: a job of harness/job on the caller's problem. */
#include <stdio.h>
#include <string.h>

#include "api/answer.h"
#include "api/problem.h"
#include "harness/catalogue/planners.h"
#include "harness/job/job.h"
#include "memplan/memplan.h"
#include "planning/verify/describe.h"

static const char default_planner[] = "best";
static const uint64_t default_time_limit_ns = 1000000000;

/* Finds the planner by "name" or "name?setting=value&...". */
static enum status configure_planner(const char *name, struct planner **planner,
                                     struct error *error)
{
    const char *settings = strchr(name, '?');
    for (uint32_t i = 0; i < planners_count(); i++) {
        const struct planner *row = planners_at(i);
        size_t length = strlen(row->name);
        if (strncmp(row->name, name, length) == 0 && (!name[length] || name[length] == '?'))
            return planner_configure(row, settings ? settings + 1 : NULL, planner, error);
    }
    return error_set(error, STATUS_USAGE, "no planner '%s', expected one of memplan_planner_at",
                     name);
}

/* True if the plan splits a buffer into extents, for which the caller's structure has no room. */
static bool is_split(const struct outcome *outcome)
{
    return outcome->plan->extents && outcome->plan->extents->count > 0;
}

/* Why there is no plan: the reason that the outcome tells, else one for its status. */
static const char *name_reason(const struct outcome *outcome)
{
    static const char *const reasons[PLAN_STATUSES] = {
        [PLAN_INFEASIBLE] = "no plan fits the capacity",
        [PLAN_TIMEOUT] = "time limit",
        [PLAN_UNSUPPORTED] = "the planner cannot do this problem, or is not part of this build",
        [PLAN_GAVE_UP] = "found no plan within the capacity",
        [PLAN_MEMOUT] = "no memory",
        [PLAN_CRASH] = "the planner crashed"};
    const char *reason = reasons[outcome->status];
    if (outcome->stop_reason[0] || !reason)
        return outcome->stop_reason;
    return reason;
}

static enum memplan_result translate_status(const struct outcome *outcome,
                                            struct memplan_answer *answer)
{
    static const enum memplan_result results[PLAN_STATUSES] = {
        [PLAN_OPTIMAL] = MEMPLAN_OPTIMAL,         [PLAN_FEASIBLE] = MEMPLAN_FOUND,
        [PLAN_INFEASIBLE] = MEMPLAN_INFEASIBLE,   [PLAN_TIMEOUT] = MEMPLAN_TIMEOUT,
        [PLAN_UNSUPPORTED] = MEMPLAN_UNSUPPORTED, [PLAN_GAVE_UP] = MEMPLAN_GAVE_UP,
        [PLAN_MEMOUT] = MEMPLAN_NO_MEMORY,        [PLAN_CRASH] = MEMPLAN_FAILED};
    snprintf(answer->message, sizeof answer->message, "%s", name_reason(outcome));
    if (!outcome_found(outcome) || !is_split(outcome))
        return results[outcome->status];
    snprintf(answer->message, sizeof answer->message,
             "the plan splits buffers, which the library cannot tell");
    return MEMPLAN_UNSUPPORTED;
}

static enum memplan_result take_outcome(const struct problem *problem,
                                        const struct outcome *outcome,
                                        struct memplan_answer *answer)
{
    enum memplan_result result = translate_status(outcome, answer);
    answer->lower_bound_bytes = outcome->measures.lower_bound_bytes;
    answer->nodes = outcome->measures.nodes;
    if (outcome->verdict.fault != VERIFY_VALID) {
        verify_describe(problem, outcome->plan, &outcome->verdict, answer->message,
                        sizeof answer->message);
        return result <= MEMPLAN_OPTIMAL ? MEMPLAN_WRONG : result;
    }
    if (result > MEMPLAN_OPTIMAL)
        return result;
    answer->peak_bytes = outcome->measures.peak_bytes;
    memcpy(answer->offset, outcome->plan->offset, problem->buffers * sizeof *answer->offset);
    return result;
}

static enum status run_job(const struct planner *planner, const struct memplan_problem *given,
                           struct problem *problem, struct memplan_answer *answer,
                           enum memplan_result *result, struct error *error)
{
    const struct instance instance = {.problem = problem};
    const struct job job = {
        .instance = &instance,
        .planner = planner,
        .capacity_bytes = given->capacity_bytes ? given->capacity_bytes : UINT64_MAX,
        .time_limit_ns = given->time_limit_ns ? given->time_limit_ns : default_time_limit_ns,
        .threads = given->threads,
        .seed = given->seed,
        .alignment_bytes = 1,
        .options = ""};
    struct outcome outcome;
    TRY(job_run(&job, &outcome, error));
    *result = take_outcome(problem, &outcome, answer);
    outcome_clear(&outcome);
    return STATUS_OK;
}

static enum status plan_problem(const char *name, const struct memplan_problem *given,
                                struct memplan_answer *answer, enum memplan_result *result,
                                struct error *error)
{
    struct planner *planner;
    struct problem *problem = NULL;
    enum status status;
    TRY(configure_planner(name ? name : default_planner, &planner, error));
    TRY_OR_DONE(status, api_problem_create(given, &problem, error));
    TRY_OR_DONE(status, run_job(planner, given, problem, answer, result, error));
done:
    problem_free(problem);
    planner_free(planner);
    return status;
}

enum memplan_result memplan_plan(const char *planner, const struct memplan_problem *problem,
                                 struct memplan_answer *answer)
{
    struct api_call call;
    enum status status = api_call_begin(problem, answer, &call);
    call.answer.nodes = 0;
    if (!status)
        status = plan_problem(planner, &call.problem, &call.answer, &call.result, &call.error);
    return api_call_end(&call, status, answer);
}
