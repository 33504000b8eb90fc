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

/* Fills the answer with what the job found. */
static enum memplan_result take_outcome(const struct problem *problem,
                                        const struct outcome *outcome,
                                        struct memplan_answer *answer)
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
    const struct extents *extents = outcome->plan->extents;
    enum memplan_result result = rows[outcome->status].result;
    snprintf(answer->message, sizeof answer->message, "%s",
             *outcome->stop_reason ? outcome->stop_reason : rows[outcome->status].reason);
    /* The caller's structure has no room for extents. */
    if (outcome_found(outcome) && extents && extents->count > 0) {
        result = MEMPLAN_UNSUPPORTED;
        snprintf(answer->message, sizeof answer->message,
                 "the plan splits buffers, which the library cannot tell");
    }
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

static void release_planner(struct planner **planner)
{
    planner_free(*planner);
}

/* The planner is called "name" or "name?setting=value&...". */
static enum status plan_problem(const char *name, const struct memplan_problem *given,
                                struct memplan_answer *answer, enum memplan_result *result,
                                struct error *error)
{
    SCOPED(release_planner) struct planner *planner = NULL;
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(outcome_clear) struct outcome outcome = {0};
    const struct planner *row = NULL;
    const char *settings = strchr(name, '?');
    for (uint32_t i = 0; i < planners_count() && !row; i++) {
        size_t length = strlen(planners_at(i)->name);
        if (strncmp(planners_at(i)->name, name, length) == 0 &&
            (!name[length] || name[length] == '?'))
            row = planners_at(i);
    }
    if (!row)
        return error_set(error, STATUS_USAGE, "no planner '%s', expected one of memplan_planner_at",
                         name);
    TRY(planner_configure(row, settings ? settings + 1 : NULL, &planner, error));
    TRY(api_problem_create(given, &problem, error));
    const struct instance instance = {.problem = problem};
    const struct job job = {
        .instance = &instance,
        .planner = planner,
        .capacity_bytes = given->capacity_bytes ? given->capacity_bytes : UINT64_MAX,
        .time_limit_ns = given->time_limit_ns ? given->time_limit_ns : default_time_limit_ns,
        .threads = given->threads,
        .seed = given->seed,
        .options = ""};
    TRY(job_run(&job, &outcome, error));
    *result = take_outcome(problem, &outcome, answer);
    return STATUS_OK;
}

enum memplan_result memplan_plan(const char *planner, const struct memplan_problem *problem,
                                 struct memplan_answer *answer)
{
    struct api_call call;
    enum status status = api_call_begin(problem, answer, &call);
    call.answer.nodes = 0;
    if (!status)
        status = plan_problem(planner ? planner : default_planner, &call.problem, &call.answer,
                              &call.result, &call.error);
    return api_call_end(&call, status, answer);
}
