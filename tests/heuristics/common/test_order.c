#include <string.h>

#include "heuristics/common/order.h"
#include "rule_test.h"
#include "support/must.h"
#include "support/random_clocks.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* Every order against its definition in words, by looking at all steps and all pairs. */

enum { MOST_BUFFERS = 40, MOST_STEPS = 24 };

static bool is_live(const struct problem *problem, uint32_t buffer, uint32_t step)
{
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        if (problem->lower[s] <= step && step < problem->upper[s])
            return true;
    return false;
}

static uint64_t count_live_bytes(const struct problem *problem, uint32_t step)
{
    uint64_t bytes = 0;
    for (uint32_t s = 0; s < problem->segments; s++)
        if (problem->lower[s] <= step && step < problem->upper[s])
            bytes += problem_window_upper(problem, s) - problem_window_lower(problem, s);
    return bytes;
}

static int64_t find_birth(const struct problem *problem, uint32_t buffer)
{
    uint32_t step = 0;
    while (!is_live(problem, buffer, step))
        step++;
    return step;
}

static int64_t find_last(const struct problem *problem, uint32_t buffer)
{
    uint32_t step = MOST_STEPS;
    while (!is_live(problem, buffer, step))
        step--;
    return step;
}

static int64_t count_steps(const struct problem *problem, uint32_t buffer)
{
    int64_t steps = 0;
    for (uint32_t step = 0; step < MOST_STEPS; step++)
        steps += is_live(problem, buffer, step);
    return steps;
}

static int64_t count_byte_steps(const struct problem *problem, uint32_t buffer)
{
    return rule_test_size(problem, buffer) * count_steps(problem, buffer);
}

static bool live_together(const struct problem *problem, uint32_t a, uint32_t b)
{
    for (uint32_t step = 0; step < MOST_STEPS; step++)
        if (is_live(problem, a, step) && is_live(problem, b, step))
            return true;
    return false;
}

static int64_t count_conflicts(const struct problem *problem, uint32_t buffer)
{
    int64_t conflicts = -1;
    for (uint32_t other = 0; other < problem->buffers; other++)
        conflicts += live_together(problem, buffer, other);
    return conflicts;
}

static int64_t count_conflict_bytes(const struct problem *problem, uint32_t buffer)
{
    return count_conflicts(problem, buffer) * rule_test_size(problem, buffer);
}

static int64_t find_urgency(const struct problem *problem, uint32_t buffer)
{
    int64_t most = 0;
    for (uint32_t step = 0; step < MOST_STEPS; step++) {
        int64_t bytes = (int64_t)count_live_bytes(problem, step);
        if (is_live(problem, buffer, step) && bytes > most)
            most = bytes;
    }
    return most;
}

/* How many names come before it. */
static int64_t rank_name(const struct problem *problem, uint32_t buffer)
{
    int64_t rank = 0;
    for (uint32_t other = 0; other < problem->buffers; other++)
        rank += strcmp(names_get(&problem->names, other), names_get(&problem->names, buffer)) < 0;
    return rank;
}

/* Allocated at the first step of all and never freed. */
static int64_t is_preserved(const struct problem *problem, uint32_t buffer)
{
    for (uint32_t other = 0; other < problem->buffers; other++)
        if (find_birth(problem, other) < find_birth(problem, buffer) ||
            find_last(problem, other) > find_last(problem, buffer))
            return 0;
    return 1;
}

/* Of two that are preserved neither comes first. */
static int64_t get_size_of_others(const struct problem *problem, uint32_t buffer)
{
    return is_preserved(problem, buffer) ? 0 : rule_test_size(problem, buffer);
}

/* Words of planners.md; a minus sign turns "most first" into "least first". */
static const struct {
    const char *order;
    struct rule_test_key key[RULE_TEST_KEYS];
} definitions[] = {
    {"birth", {{-1, find_birth}}},
    {"birth_size", {{-1, find_birth}, {1, rule_test_size}}},
    {"input", {{0, NULL}}},
    {"conflicts_times_size", {{1, count_conflict_bytes}, {1, rule_test_size}}},
    {"death", {{-1, find_last}}},
    {"size", {{1, rule_test_size}}},
    {"size_rising", {{-1, rule_test_size}}},
    {"duration", {{1, count_steps}}},
    {"duration_rising", {{-1, count_steps}}},
    {"size_duration", {{1, rule_test_size}, {1, count_steps}}},
    {"duration_size", {{1, count_steps}, {1, rule_test_size}}},
    {"area", {{1, count_byte_steps}}},
    {"preserved_size_birth", {{1, is_preserved}, {1, get_size_of_others}, {-1, find_birth}}},
    {"urgency", {{1, find_urgency}, {1, count_steps}, {-1, find_birth}, {1, rule_test_size}}},
    {"conflicts", {{1, count_conflicts}}},
    {"conflicts_size", {{1, count_conflicts}, {1, rule_test_size}}},
    {"size_conflicts", {{1, rule_test_size}, {1, count_conflicts}}},
    {"size_conflicts_name", {{1, rule_test_size}, {1, count_conflicts}, {1, rank_name}}},
    {"conflicts_size_name", {{1, count_conflicts}, {1, rule_test_size}, {1, rank_name}}},
};
enum { DEFINITIONS = sizeof definitions / sizeof *definitions };

static void expect_order(const struct problem *problem, const char *order, uint64_t seed,
                         const uint32_t *expected)
{
    uint32_t sorted[MOST_BUFFERS];
    const struct order *found = order_find(order);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    must(order_sort(found, problem, seed, sorted, &error));
    CU_ASSERT_EQUAL(memcmp(sorted, expected, problem->buffers * sizeof *sorted), 0);
}

typedef void check(const struct problem *problem, uint64_t seed);

static void check_all(check *run, uint32_t most_buffers, uint64_t seeds)
{
    for (uint64_t seed = 0; seed < seeds; seed++) {
        const struct random_problem kind = {.most_buffers = most_buffers,
                                            .steps = 1 + (uint32_t)(seed % (MOST_STEPS - 1)),
                                            .most_size = 1 + seed % 11,
                                            .holes = seed % 3 == 0,
                                            .windows = seed % 5 == 0,
                                            .alignment = seed % 2 == 0,
                                            .fixed = seed % 7 == 0};
        struct problem *problem = rule_test_draw(&kind, seed);
        run(problem, seed);
        problem_free(problem);
    }
}

static void check_definition(const struct problem *problem, uint64_t seed)
{
    uint32_t expected[MOST_BUFFERS], definition = (uint32_t)(seed % DEFINITIONS);
    rule_test_sort(problem, definitions[definition].key, expected);
    expect_order(problem, definitions[definition].order, seed, expected);
}

static void test_definitions(void)
{
    check_all(check_definition, 10, 10000 * DEFINITIONS / 4);
    check_all(check_definition, MOST_BUFFERS, 10 * DEFINITIONS);
}

/* Steps, fullest first, the earlier of equal ones; of each what is live and not yet taken, largest
   first, the earlier in the problem of equal ones. */
static void check_breadth(const struct problem *problem, uint64_t seed)
{
    uint32_t expected[MOST_BUFFERS], count = 0;
    bool visited[MOST_STEPS] = {false}, taken[MOST_BUFFERS] = {false};
    while (count < problem->buffers) {
        uint32_t fullest = MOST_STEPS;
        for (uint32_t step = 0; step < MOST_STEPS; step++)
            if (!visited[step] && (fullest == MOST_STEPS || count_live_bytes(problem, step) >
                                                                count_live_bytes(problem, fullest)))
                fullest = step;
        visited[fullest] = true;
        for (uint64_t size = 11; size; size--)
            for (uint32_t b = 0; b < problem->buffers; b++)
                if (!taken[b] && problem->size[b] == size && is_live(problem, b, fullest)) {
                    taken[b] = true;
                    expected[count++] = b;
                }
    }
    expect_order(problem, "breadth", seed, expected);
}

/* A list that is filled from its end, then sorted by exchanges of neighbours. */
static void check_later_first(const struct problem *problem, uint64_t seed)
{
    uint32_t expected[MOST_BUFFERS];
    for (uint32_t b = 0; b < problem->buffers; b++)
        expected[problem->buffers - 1 - b] = b;
    for (uint32_t round = 1; round < problem->buffers; round++)
        for (uint32_t i = 1; i < problem->buffers; i++)
            if (problem->size[expected[i - 1]] < problem->size[expected[i]]) {
                uint32_t smaller = expected[i - 1];
                expected[i - 1] = expected[i];
                expected[i] = smaller;
            }
    expect_order(problem, "size_later_first", seed, expected);
}

static void test_procedures(void)
{
    check_all(check_breadth, 10, 10000);
    check_all(check_breadth, MOST_BUFFERS, 200);
    check_all(check_later_first, 10, 10000);
}

static void check_permutation(const struct problem *problem, uint64_t seed)
{
    for (uint32_t o = 0; o < order_count(); o++) {
        uint32_t sorted[MOST_BUFFERS], again[MOST_BUFFERS], times[MOST_BUFFERS] = {0};
        must(order_sort(order_at(o), problem, seed, sorted, &error));
        must(order_sort(order_at(o), problem, seed, again, &error));
        CU_ASSERT_EQUAL(memcmp(sorted, again, problem->buffers * sizeof *sorted), 0);
        for (uint32_t i = 0; i < problem->buffers; i++)
            times[sorted[i]]++;
        for (uint32_t b = 0; b < problem->buffers; b++)
            CU_ASSERT_EQUAL(times[b], 1);
    }
}

static void test_permutations(void)
{
    check_all(check_permutation, MOST_BUFFERS, 100);
}

/* Over many seeds each of three buffers comes first about as often. */
static void test_random_depends_on_seed(void)
{
    struct random_state random = random_seed(0);
    struct problem *problem = random_problem_create(
        &(struct random_problem){.most_buffers = 3, .steps = 1, .most_size = 1}, &random);
    uint32_t sorted[3], times[3] = {0};
    CU_ASSERT_EQUAL_FATAL(problem->buffers, 3);
    for (uint64_t seed = 0; seed < 3000; seed++) {
        must(order_sort(order_find("random"), problem, seed, sorted, &error));
        times[sorted[0]]++;
    }
    for (int b = 0; b < 3; b++)
        CU_ASSERT_TRUE(times[b] > 900 && times[b] < 1100);
    problem_free(problem);
}

/* No component of the one's end is above the other's start. */
static bool is_over_before(const struct problem *problem, uint32_t one, uint32_t other)
{
    const uint32_t *end = problem_clock(problem, one).end;
    const uint32_t *start = problem_clock(problem, other).start;
    for (uint32_t s = 0; s < problem_streams(problem); s++)
        if (end[s] > start[s])
            return false;
    return true;
}

static void test_streams_by_clocks(void)
{
    static const char *const names[] = {"birth", "death"};
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct random_state random = random_seed(seed);
        struct problem *problem = random_clocks_create(MOST_BUFFERS, 9, &random);
        uint32_t sorted[MOST_BUFFERS];
        for (int n = 0; n < 2; n++) {
            must(order_sort(order_find(names[n]), problem, 1, sorted, &error));
            for (uint32_t i = 0; i < problem->buffers; i++)
                for (uint32_t j = 0; j < i; j++)
                    CU_ASSERT_FALSE(is_over_before(problem, sorted[i], sorted[j]));
        }
        problem_free(problem);
    }
}

static const struct test_case cases[] = {
    {"of several streams by clocks", test_streams_by_clocks},
    {"orders as defined", test_definitions},
    {"breadth and later first as procedures", test_procedures},
    {"every order is a permutation, the same for a seed", test_permutations},
    {"random depends on the seed", test_random_depends_on_seed},
};

TESTING_MAIN("heuristics/order", cases)
