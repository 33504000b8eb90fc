#include "searched.h"
#include "solvers/exact/race/blame.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/random_problem.h"

/* Strategies that learn: what they are blamed for, how that ranks buffers, when they restart, and
   that what they say is what the others say. */

enum { SEEDS = TESTING_COUNT(400, 60) };

static const struct random_problem kinds[] = {
    {.most_buffers = 14, .steps = 9, .most_size = 9, .filled = true},
    {.most_buffers = 16, .steps = 12, .most_size = 4, .filled = true},
    {.most_buffers = 20, .steps = 30, .most_size = 7, .holes = true},
    {.most_buffers = 16, .steps = 30, .most_size = 7, .alignment = true},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static void test_luby(void)
{
    const uint64_t expected[] = {1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1};
    for (uint64_t i = 0; i < sizeof expected / sizeof *expected; i++)
        CU_ASSERT_EQUAL(exact_round_luby(i + 1), expected[i]);
}

/* Buffers 0, 2 and 3 are equal. */
static const struct made_buffer rows[] = {{0, 4, 5}, {1, 3, 2}, {0, 4, 5}, {0, 4, 5}, {2, 6, 1}};

static void test_what_is_left_is_blamed(void)
{
    SCOPED(searched_clear) struct searched blamed = {0};
    searched_create(made_problem(rows, 5), 16, true, &blamed);
    const uint64_t *blame = blamed.state->experience->blame;
    blamed.state->placed[2] = true;
    exact_blame_add(blamed.state, 0);
    CU_ASSERT_EQUAL(blame[0], 1);
    CU_ASSERT_EQUAL(blame[2], 0);
    CU_ASSERT_EQUAL(blame[3], 1);
}

static void test_the_blamed_come_first(void)
{
    const uint32_t base[] = {0, 3, 1, 2, 4}, expected[] = {1, 0, 2, 3, 4};
    SCOPED(searched_clear) struct searched blamed = {0};
    uint32_t rank[5];
    searched_create(made_problem(rows, 5), 16, true, &blamed);
    blamed.state->experience->blame[1] = 7;
    blamed.state->experience->blame[3] = 5;
    must(exact_blame_rank(blamed.state, base, rank, &error));
    for (uint32_t b = 0; b < 5; b++)
        CU_ASSERT_EQUAL(rank[b], expected[b]);
}

/* The least peak, as the strategy proves it; at least 1. */
static uint64_t find_least_peak(const struct searched *searched, uint32_t strategy)
{
    for (uint64_t capacity = 1, next;; capacity = next) {
        enum exact_outcome outcome = searched_run(searched, strategy, capacity, &next);
        CU_ASSERT_FATAL(outcome != EXACT_STOPPED);
        if (outcome == EXACT_FOUND)
            return capacity;
        CU_ASSERT_FATAL(next > capacity);
    }
}

static void test_all_strategies_agree(void)
{
    uint32_t learning = 0;
    for (uint32_t i = 0; i < exact_strategy_count(); i++)
        learning += exact_strategy_at(i)->learns;
    CU_ASSERT_TRUE(learning >= 2);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(searched_clear) struct searched searched = {0};
        searched_create(random_problem_create(&kinds[seed % KINDS], &random), 16, true, &searched);
        uint64_t least = searched.model->orderable ? find_least_peak(&searched, 0) : 0;
        for (uint32_t i = 1; i < exact_strategy_count() && least; i++)
            if (exact_strategy_at(i)->learns && !exact_strategy_at(i)->is_beam)
                CU_ASSERT_EQUAL(find_least_peak(&searched, i), least);
    }
}

static const struct test_case cases[] = {
    {"the Luby series", test_luby},
    {"what is left in a section that refuses is blamed", test_what_is_left_is_blamed},
    {"the most blamed come first, equal ones in their order", test_the_blamed_come_first},
    {"all strategies prove the same", test_all_strategies_agree},
};

TESTING_MAIN("solvers/exact/race/blame", cases)
