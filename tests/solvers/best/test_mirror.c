#include "solvers/best/mirror.h"

#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"
#include "support/testing.h"
#include "support/verify_pairwise.h"

static const struct random_problem kind = {.most_buffers = 8,
                                           .steps = 9,
                                           .most_size = 6,
                                           .holes = true,
                                           .windows = true,
                                           .alignment = true,
                                           .fixed = true};

/* Offsets drawn at random are as good or bad for one as for the other. */
static void test_same_plans(void)
{
    uint32_t valid = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        SCOPED(problem_release) struct problem *mirrored = NULL;
        struct verdict one, other;
        SCOPED(plan_release) struct plan *plan = NULL;
        must(mirror_create(problem, &mirrored, &error));
        must(plan_create(problem, &plan, &error));
        for (uint32_t b = 0; b < problem->buffers; b++)
            plan->offset[b] = problem_fixed_offset(problem, b) != PROBLEM_FREE
                                  ? problem_fixed_offset(problem, b)
                                  : random_below(&random, 8) * problem_alignment(problem, b);
        plan->status = PLAN_FEASIBLE;
        must(plan_set_peak(plan, problem, &error));
        verify_plan_pairwise(problem, plan, &one);
        verify_plan_pairwise(mirrored, plan, &other);
        CU_ASSERT_EQUAL(one.fault == VERIFY_VALID, other.fault == VERIFY_VALID);
        valid += one.fault == VERIFY_VALID;
    }
    CU_ASSERT_TRUE(valid > 100 && valid < 1900);
}

static void test_steps_run_backwards(void)
{
    struct random_state random = random_seed(3);
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
    SCOPED(problem_release) struct problem *mirrored = NULL;
    uint32_t steps = problem_steps(problem);
    must(mirror_create(problem, &mirrored, &error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        CU_ASSERT_EQUAL(problem_lower(mirrored, b), steps - problem_upper(problem, b));
        CU_ASSERT_EQUAL(problem_upper(mirrored, b), steps - problem_lower(problem, b));
    }
}

static void test_conflict_steps_have_no_order(void)
{
    const struct random_problem conflicts = {
        .most_buffers = 8, .steps = 6, .most_size = 6, .many_holes = true, .conflicts = true};
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release)
        struct problem *problem = random_problem_create(&conflicts, &random);
        SCOPED(problem_release) struct problem *mirrored = NULL;
        must(mirror_create(problem, &mirrored, &error));
        CU_ASSERT_EQUAL(mirrored == NULL, problem->line_end != PROBLEM_NO_LINE_END);
    }
}

static const struct test_case cases[] = {
    {"the same plans", test_same_plans},
    {"steps run backwards", test_steps_run_backwards},
    {"conflict steps have no order", test_conflict_steps_have_no_order},
};

TESTING_MAIN("solvers/best", cases)
