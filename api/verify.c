/* memplan_verify: the check of planning/verify on offsets of the caller. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/answer.h"
#include "api/problem.h"
#include "memplan/memplan.h"
#include "planning/verify/describe.h"
#include "planning/verify/problem/plan.h"

/* Checks the offsets and fills the answer. The peak is set unless a buffer ends beyond 2^64, which
   the verdict then says. */
static enum status verify_offsets(const struct memplan_problem *given,
                                  struct memplan_answer *answer, enum memplan_result *result,
                                  struct error *error)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    struct verdict verdict;
    struct error ignored;
    TRY(api_problem_create(given, &problem, error));
    TRY(plan_create(problem, &plan, error));
    memcpy(plan->offset, answer->offset, problem->buffers * sizeof *plan->offset);
    plan->status = PLAN_FEASIBLE;
    if (plan_set_peak(plan, problem, &ignored) == STATUS_OK)
        answer->peak_bytes = plan->measures.peak_bytes;
    TRY(verify_plan(problem, plan, &verdict, error));
    TRY(plan_complete(plan, problem, error));
    answer->lower_bound_bytes = plan->measures.lower_bound_bytes;
    *result = MEMPLAN_FOUND;
    if (verdict.fault != VERIFY_VALID) {
        verify_describe(problem, plan, &verdict, answer->message, sizeof answer->message);
        *result = MEMPLAN_WRONG;
    } else if (given->capacity_bytes && answer->peak_bytes > given->capacity_bytes) {
        snprintf(answer->message, sizeof answer->message,
                 "found a peak of %" PRIu64 " bytes, expected at most the capacity, %" PRIu64,
                 answer->peak_bytes, given->capacity_bytes);
        *result = MEMPLAN_GAVE_UP;
    }
    return STATUS_OK;
}

enum memplan_result memplan_verify(const struct memplan_problem *problem,
                                   struct memplan_answer *answer)
{
    struct api_call call;
    enum status status = api_call_begin(problem, answer, &call);
    if (!status)
        status = verify_offsets(&call.problem, &call.answer, &call.result, &call.error);
    return api_call_end(&call, status, answer);
}
