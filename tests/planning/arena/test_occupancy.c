#include <string.h>

#include "core/memory.h"
#include "core/sort.h"
#include "planning/arena/occupancy.h"
#include "support/fits.h"
#include "support/must.h"
#include "support/random_problem.h"
#include "support/testing.h"

static void expect_same(const struct problem *problem, const struct fit *fit,
                        struct random_state *random, struct occupancy *occupancy)
{
    SCOPED(plan_release) struct plan *expected = NULL;
    uint64_t *offset, peak_bytes;
    SCOPED(memory_release) uint32_t *sorted = NULL;
    must(plan_create(problem, &expected, &error));
    must(memory_create(&offset, problem->buffers, sizeof *offset, &error));
    must(memory_create(&sorted, problem->buffers, sizeof *sorted, &error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        sorted[b] = b;
    random_shuffle(random, sorted, problem->buffers);
    must(fits_place_all(fit, problem, sorted, expected, &error));
    must(plan_set_peak(expected, problem, &error));
    const uint64_t expected_bytes = expected->measures.peak_bytes;
    for (uint64_t spare = 0; spare < 2; spare++) {
        const struct occupancy_rule rule = {
            .fit = fit, .sorted = sorted, .most_bytes = spare ? UINT64_MAX : expected_bytes};
        must(occupancy_place_all(occupancy, &rule, offset, &peak_bytes, &error));
        CU_ASSERT_EQUAL(peak_bytes, expected_bytes);
        CU_ASSERT_EQUAL(memcmp(offset, expected->offset, problem->buffers * sizeof *offset), 0);
    }
    const struct occupancy_rule below = {
        .fit = fit, .sorted = sorted, .most_bytes = expected_bytes - 1};
    must(occupancy_place_all(occupancy, &below, offset, &peak_bytes, &error));
    CU_ASSERT_EQUAL(peak_bytes, UINT64_MAX);
    memory_free(offset);
}

static void compare(const struct random_problem *kind, uint64_t seeds)
{
    for (uint64_t seed = 0; seed < seeds; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release) struct problem *problem = random_problem_create(kind, &random);
        SCOPED(occupancy_release) struct occupancy *occupancy = NULL;
        must(occupancy_create(problem, &occupancy, &error));
        expect_same(problem, fit_find(fits_name((uint32_t)(seed % fits_count()))), &random,
                    occupancy);
        expect_same(problem, fit_find(fits_name((uint32_t)((seed + 1) % fits_count()))), &random,
                    occupancy);
    }
}

static void test_small(void)
{
    compare(&(struct random_problem){.most_buffers = 12,
                                     .steps = 12,
                                     .most_size = 9,
                                     .holes = true,
                                     .windows = true,
                                     .alignment = true,
                                     .fixed = true},
            TESTING_COUNT(10000, 3000));
}

/* Enough segments for a tree of leaves. */
static void test_many_leaves(void)
{
    compare(
        &(struct random_problem){
            .most_buffers = 3000, .steps = 900, .most_size = 50, .holes = true, .alignment = true},
        6);
    compare(&(struct random_problem){.most_buffers = 2000, .steps = 4000000000, .most_size = 50},
            5);
    compare(&(struct random_problem){.most_buffers = 2000, .steps = 3, .most_size = 1000}, 6);
}

static void test_no_buffers(void)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(occupancy_release) struct occupancy *occupancy = NULL;
    must(problem_create(&problem, "empty", &error));
    must(problem_finish(problem, &error));
    must(occupancy_create(problem, &occupancy, &error));
    const struct occupancy_rule rule = {.fit = fit_find("first"), .most_bytes = UINT64_MAX};
    uint64_t peak_bytes;
    must(occupancy_place_all(occupancy, &rule, NULL, &peak_bytes, &error));
    CU_ASSERT_EQUAL(peak_bytes, 0);
}

/* What is taken by hand need not be as large as the buffer. */
static void test_taken_by_hand(void)
{
    struct random_state random = random_seed(1);
    SCOPED(problem_release)
    struct problem *problem = random_problem_create(
        &(struct random_problem){.most_buffers = 1, .steps = 1, .most_size = 5}, &random);
    SCOPED(occupancy_release) struct occupancy *occupancy = NULL;
    struct gap_walk walk;
    struct gap gap;
    must(occupancy_create(problem, &occupancy, &error));
    must(occupancy_take(occupancy, 0, 100, 130, &error));
    occupancy_walk(occupancy, 0, &walk);
    CU_ASSERT_TRUE(gap_walk_next(&walk, &gap));
    CU_ASSERT_TRUE(gap.begin == 0 && gap.end == 100 && gap.offset == 0);
    CU_ASSERT_TRUE(gap_walk_next(&walk, &gap));
    CU_ASSERT_TRUE(gap.begin == 130 && gap.end == UINT64_MAX && gap.offset == 130);
    CU_ASSERT_FALSE(gap_walk_next(&walk, &gap));
}

static const struct test_case cases[] = {
    {"small problems as by conflicts", test_small},
    {"large problems as by conflicts", test_many_leaves},
    {"no buffers", test_no_buffers},
    {"taken by hand", test_taken_by_hand},
};
TESTING_MAIN("planning/occupancy", cases)
