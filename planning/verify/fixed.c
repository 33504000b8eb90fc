#include "planning/verify/fixed.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/problem/copy.h"
#include "planning/verify/plan.h"

/* Copies the fixed buffers of the problem into `fixed`: its buffer i is a copy of the problem's
   buffer source[i]. */
static enum status copy_fixed(const struct problem *problem, struct problem *fixed,
                              uint32_t *source, struct error *error)
{
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (problem_fixed_offset(problem, b) == PROBLEM_FREE)
            continue;
        TRY(problem_add_copy(fixed, problem, b, error));
        source[fixed->buffers - 1] = b;
    }
    assert(fixed->buffers <= problem->buffers);
    return problem_finish(fixed, error);
}

static enum status verify_copies(const struct problem *fixed, struct verdict *verdict,
                                 struct error *error)
{
    struct plan *plan;
    TRY(plan_create(fixed, &plan, error));
    for (uint32_t b = 0; b < fixed->buffers; b++)
        plan->offset[b] = problem_fixed_offset(fixed, b);
    plan->status = PLAN_FEASIBLE;
    enum status status = plan_set_peak(plan, fixed, error);
    if (!status)
        status = verify_plan(fixed, plan, verdict, error);
    plan_free(plan);
    return status;
}

enum status verify_fixed(const struct problem *problem, struct verdict *verdict,
                         struct error *error)
{
    struct problem *fixed = NULL;
    uint32_t *source = NULL;
    enum status status;
    *verdict = (struct verdict){VERIFY_VALID, 0, 0, 0};
    TRY_OR_DONE(status, problem_create(&fixed, "", error));
    TRY_OR_DONE(status, memory_create(&source, problem->buffers, sizeof *source, error));
    TRY_OR_DONE(status, copy_fixed(problem, fixed, source, error));
    TRY_OR_DONE(status, verify_copies(fixed, verdict, error));
    if (verdict->fault != VERIFY_VALID) {
        assert(verdict->fault == VERIFY_OVERLAP);
        verdict->first = source[verdict->first];
        verdict->second = source[verdict->second];
    }
done:
    problem_free(fixed);
    memory_free(source);
    return status;
}
