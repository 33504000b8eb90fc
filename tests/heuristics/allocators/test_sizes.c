#include "heuristics/allocators/inductor.h"
#include "heuristics/allocators/relax.h"
#include "planning/verify/problem/plan.h"
#include "rule_test.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

/* Rules for sizes that are known only when a network runs; the examples are on paper. */

static void expect_objects(const struct made_buffer *rows, uint32_t count, const uint32_t *same,
                           const uint64_t *offsets, uint64_t bytes)
{
    SCOPED(problem_release) struct problem *problem = made_problem(rows, count);
    uint64_t offset[8], pool_bytes;
    must(relax_place_sizes(problem, same, problem->size, offset, &pool_bytes, &error));
    CU_ASSERT_EQUAL(pool_bytes, bytes);
    for (uint32_t b = 0; b < count; b++)
        CU_ASSERT_EQUAL(offset[b], offsets[b]);
}

static void test_objects(void)
{
    /* 50 is less than a 16th of 2000. */
    static const struct made_buffer apart[] = {{0, 2, 100}, {1, 3, 50}, {2, 4, 60}, {3, 5, 2000}};
    expect_objects(apart, 4, NULL, (const uint64_t[]){0, 100, 0, 150}, 2150);
    /* The second one makes the first object larger; 99 is less than a 16th of it. */
    static const struct made_buffer grown[] = {{0, 2, 100}, {2, 3, 1600}, {3, 4, 99}};
    expect_objects(grown, 3, NULL, (const uint64_t[]){0, 0, 1600}, 1699);
    /* The smallest that is large enough, of equal ones the oldest. */
    static const struct made_buffer several[] = {
        {0, 1, 40}, {0, 1, 30}, {0, 1, 30}, {1, 2, 20}, {1, 2, 35}};
    expect_objects(several, 5, NULL, (const uint64_t[]){0, 40, 70, 40, 0}, 100);
    /* Only the third one has the expression of the first. */
    static const struct made_buffer turns[] = {{0, 1, 10}, {1, 2, 10}, {2, 3, 10}};
    expect_objects(turns, 3, (const uint32_t[]){0, 1, 0}, (const uint64_t[]){0, 10, 0}, 20);
}

/* A 4, B 4 n and C 3 n, laid out for n = 1, at n = 8. */
static void test_pools(void)
{
    static const struct made_buffer rows[] = {{0, 1, 4 * 64}, {1, 2, 4 * 64}, {0, 1, 3 * 64}};
    static const uint64_t size[] = {4 * 64, 32 * 64, 24 * 64};
    SCOPED(problem_release) struct problem *problem = made_problem(rows, 3);
    uint64_t offset[3], pool_bytes;
    must(inductor_place_sizes(problem, size, offset, &pool_bytes, &error));
    CU_ASSERT_EQUAL(pool_bytes, 56 * 64);
    CU_ASSERT_EQUAL(offset[2], 32 * 64);
}

/* Whatever the sizes, no two buffers that are live at once overlap. For those of the example the
   pools are the planner's, less what is empty. */
static void test_safe(void)
{
    static const struct random_problem kind = {.most_buffers = 30,
                                               .steps = 12,
                                               .most_size = 900,
                                               .holes = true,
                                               .alignment = true,
                                               .conflicts = true};
    struct random_state random = random_seed(3434);
    for (int round = 0; round < TESTING_COUNT(3000, 300); round++) {
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        SCOPED(plan_release) struct plan *planned = rule_test_run("inductor_pools", problem);
        SCOPED(plan_release) struct plan *plan = NULL;
        uint64_t size[30], bytes[3];
        must(plan_create(problem, &plan, &error));
        plan->status = PLAN_FEASIBLE;
        must(inductor_place_sizes(problem, problem->size, plan->offset, &bytes[0], &error));
        CU_ASSERT_TRUE(bytes[0] <= planned->measures.pool_bytes);
        for (uint32_t b = 0; b < problem->buffers; b++) {
            CU_ASSERT_TRUE(plan->offset[b] <= planned->offset[b]);
            size[b] = 1 + random_below(&random, 1000);
        }
        for (int rule = 0; rule < 2; rule++) {
            struct verdict verdict;
            if (rule)
                must(relax_place_sizes(problem, NULL, size, plan->offset, &bytes[1], &error));
            else
                must(inductor_place_sizes(problem, size, plan->offset, &bytes[1], &error));
            for (uint32_t b = 0; b < problem->buffers; b++)
                problem_resize(problem, b, size[b]);
            must(plan_set_peak(plan, problem, &error));
            must(verify_plan(problem, plan, &verdict, &error));
            CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
            CU_ASSERT_TRUE(plan->measures.peak_bytes <= bytes[1]);
        }
    }
}

static void test_too_large(void)
{
    static const struct made_buffer rows[] = {{0, 1, 8}, {0, 1, 8}};
    static const uint64_t size[] = {INT64_MAX, INT64_MAX};
    SCOPED(problem_release) struct problem *problem = made_problem(rows, 2);
    uint64_t offset[2], bytes;
    CU_ASSERT_EQUAL(relax_place_sizes(problem, NULL, size, offset, &bytes, &error),
                    STATUS_BAD_INPUT);
    CU_ASSERT_EQUAL(inductor_place_sizes(problem, size, offset, &bytes, &error), STATUS_BAD_INPUT);
}

static enum status run_both(const void *input, struct error *at)
{
    const struct problem *problem = input;
    uint64_t offset[8], bytes;
    TRY(relax_place_sizes(problem, NULL, problem->size, offset, &bytes, at));
    return inductor_place_sizes(problem, problem->size, offset, &bytes, at);
}

static void test_out_of_memory(void)
{
    static const struct made_buffer rows[] = {{0, 2, 64}, {1, 3, 32}, {1, 2, 99}, {2, 3, 64}};
    SCOPED(problem_release) struct problem *problem = made_problem(rows, 4);
    fail_each(run_both, problem);
}

static const struct test_case cases[] = {
    {"objects of their own", test_objects}, {"pools of an example at other sizes", test_pools},
    {"safe for all sizes", test_safe},      {"sizes near 2^63", test_too_large},
    {"without memory", test_out_of_memory},
};

TESTING_MAIN("rules for unknown sizes", cases)
