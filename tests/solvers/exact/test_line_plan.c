#include <string.h>

#include "planning/verify/problem/plan.h"
#include "solvers/exact/line_plan.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* Makes the plan, where there is one, and holds it against every pair of segments. */
static bool is_planned(const struct problem *problem, uint64_t *peak_bytes)
{
    SCOPED(plan_release) struct plan *plan = NULL;
    must(plan_create(problem, &plan, &error));
    must(line_plan_make(problem, plan->offset, peak_bytes, &error));
    bool found = *peak_bytes != UINT64_MAX;
    if (found) {
        plan->status = PLAN_FEASIBLE;
        plan->measures.peak_bytes = *peak_bytes;
        CU_ASSERT_TRUE(planned_is_valid(problem, plan));
    }
    return found;
}

static void test_plans_are_valid(void)
{
    static const struct random_problem kinds[] = {
        {.most_buffers = 40, .steps = 30, .most_size = 1000},
        {.most_buffers = 40, .steps = 12, .most_size = 7, .holes = true},
        {.most_buffers = 40, .steps = 30, .most_size = 60, .alignment = true},
        {.most_buffers = 30, .steps = 20, .most_size = 50, .holes = true, .windows = true},
        {.most_buffers = 20, .steps = 20, .most_size = 9, .many_holes = true, .conflicts = true},
    };
    for (uint64_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint64_t seed = 0; seed < 400; seed++) {
            struct random_state random = random_seed(1000 * k + seed);
            SCOPED(problem_release)
            struct problem *problem = random_problem_create(&kinds[k], &random);
            uint64_t peak_bytes;
            CU_ASSERT_TRUE(is_planned(problem, &peak_bytes));
        }
}

static void test_fixed_buffers_are_left_alone(void)
{
    const struct random_problem kind = {
        .most_buffers = 12, .steps = 9, .most_size = 9, .fixed = true};
    uint32_t refused = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct random_state random = random_seed(seed);
        struct problem *problem = random_problem_create(&kind, &random);
        uint64_t peak_bytes;
        bool any_fixed = problem_fixed_end(problem) > 0;
        CU_ASSERT_EQUAL(is_planned(problem, &peak_bytes), !any_fixed);
        refused += any_fixed;
        problem_free(problem);
    }
    CU_ASSERT_TRUE(refused > 0);
}

static struct problem *make_chain(uint32_t buffers)
{
    struct problem *problem;
    must(problem_create(&problem, "chain", &error));
    for (uint32_t b = 0; b < buffers; b++) {
        const struct problem_buffer buffer = {"b", 64, 1, PROBLEM_FREE, -1};
        const struct problem_segment segment = {b, b + 2, 0, 64};
        must(problem_add_buffer(problem, &buffer, &error));
        must(problem_add_segment(problem, segment, &error));
    }
    must(problem_finish(problem, &error));
    return problem;
}

/* What is given back is used again, so that two of equal size are enough for a chain. */
static void test_bytes_are_used_again(void)
{
    SCOPED(problem_release) struct problem *problem = make_chain(1000);
    uint64_t peak_bytes;
    CU_ASSERT_TRUE(is_planned(problem, &peak_bytes));
    CU_ASSERT_EQUAL(peak_bytes, 128);
}

static const struct test_case cases[] = {
    {"plans are valid", test_plans_are_valid},
    {"fixed buffers are left alone", test_fixed_buffers_are_left_alone},
    {"bytes are used again", test_bytes_are_used_again},
};

TESTING_MAIN("solvers/exact/line_plan", cases)
