/* memplan_verify: the check of planning/verify on offsets of the caller. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/answer.h"
#include "api/problem.h"
#include "memplan/memplan.h"
#include "planning/verify/describe.h"
#include "planning/verify/plan.h"

static enum memplan_result judge_capacity(const struct memplan_problem *given,
                                          struct memplan_answer *answer)
{
    if (!given->capacity_bytes || answer->peak_bytes <= given->capacity_bytes)
        return MEMPLAN_FOUND;
    snprintf(answer->message, sizeof answer->message,
             "found a peak of %" PRIu64 " bytes, expected at most the capacity, %" PRIu64,
             answer->peak_bytes, given->capacity_bytes);
    return MEMPLAN_GAVE_UP;
}

/* Checks the offsets and fills the answer. The peak is set unless a buffer ends beyond 2^64, which
   the verdict then says. */
static enum status verify_offsets(const struct memplan_problem *given,
                                  const struct problem *problem, struct plan *plan,
                                  struct memplan_answer *answer, enum memplan_result *result,
                                  struct error *error)
{
    struct verdict verdict;
    struct error ignored;
    memcpy(plan->offset, answer->offset, problem->buffers * sizeof *plan->offset);
    plan->status = PLAN_FEASIBLE;
    if (plan_set_peak(plan, problem, &ignored) == STATUS_OK)
        answer->peak_bytes = plan->measures.peak_bytes;
    TRY(verify_plan(problem, plan, &verdict, error));
    TRY(plan_complete(plan, problem, error));
    answer->lower_bound_bytes = plan->measures.lower_bound_bytes;
    if (verdict.fault == VERIFY_VALID) {
        *result = judge_capacity(given, answer);
        return STATUS_OK;
    }
    verify_describe(problem, plan, &verdict, answer->message, sizeof answer->message);
    *result = MEMPLAN_WRONG;
    return STATUS_OK;
}

static enum status verify_answer(const struct memplan_problem *given, struct memplan_answer *answer,
                                 enum memplan_result *result, struct error *error)
{
    struct problem *problem;
    struct plan *plan = NULL;
    enum status status;
    TRY(api_problem_create(given, &problem, error));
    TRY_OR_DONE(status, plan_create(problem, &plan, error));
    TRY_OR_DONE(status, verify_offsets(given, problem, plan, answer, result, error));
done:
    plan_free(plan);
    problem_free(problem);
    return status;
}

enum memplan_result memplan_verify(const struct memplan_problem *problem,
                                   struct memplan_answer *answer)
{
    struct api_call call;
    enum status status = api_call_begin(problem, answer, &call);
    if (!status)
        status = verify_answer(&call.problem, &call.answer, &call.result, &call.error);
    return api_call_end(&call, status, answer);
}
