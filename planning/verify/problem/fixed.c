#include "planning/verify/problem/fixed.h"

#include <assert.h>

#include "core/scratch.h"
#include "planning/problem/copy.h"
#include "planning/verify/problem/plan.h"

/* A problem of the fixed buffers alone has one plan, which is checked as any other. */
enum status verify_fixed(const struct problem *problem, struct verdict *verdict,
                         struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(problem_release) struct problem *fixed = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    uint32_t *source, count = 0;
    *verdict = (struct verdict){VERIFY_VALID, 0, 0, 0};
    TRY(scratch_take(&scratch, &source, problem->buffers, sizeof *source, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
            source[count++] = b;
    TRY(problem_copy_part(problem, "", source, count, &fixed, error));
    TRY(plan_create(fixed, &plan, error));
    for (uint32_t b = 0; b < count; b++)
        plan->offset[b] = problem_fixed_offset(fixed, b);
    plan->status = PLAN_FEASIBLE;
    TRY(plan_set_peak(plan, fixed, error));
    TRY(verify_plan(fixed, plan, verdict, error));
    if (verdict->fault != VERIFY_VALID) {
        assert(verdict->fault == VERIFY_OVERLAP && verdict->second < count);
        verdict->first = source[verdict->first];
        verdict->second = source[verdict->second];
    }
    return STATUS_OK;
}
