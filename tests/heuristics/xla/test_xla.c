#include "rule_test.h"
#include "support/testing.h"

/* The second implementation: which calls come before a call is counted pair by pair. */

static bool begins_before(const struct problem *problem, uint32_t a, uint32_t b)
{
    if (problem_lower(problem, a) != problem_lower(problem, b))
        return problem_lower(problem, a) < problem_lower(problem, b);
    if (problem_upper(problem, a) != problem_upper(problem, b))
        return problem_upper(problem, a) < problem_upper(problem, b);
    return a < b;
}

static bool ends_before(const struct problem *problem, uint32_t a, uint32_t b)
{
    if (problem_upper(problem, a) != problem_upper(problem, b))
        return problem_upper(problem, a) < problem_upper(problem, b);
    return begins_before(problem, a, b);
}

static uint32_t find_duration(const struct problem *problem, uint32_t buffer)
{
    uint32_t allocated = 0, freed = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        allocated += begins_before(problem, b, buffer);
        allocated += problem_upper(problem, b) <= problem_lower(problem, buffer);
        freed += problem_lower(problem, b) < problem_upper(problem, buffer);
        freed += ends_before(problem, b, buffer);
    }
    return freed - allocated;
}

/* Of the problem at hand. */
static uint32_t ticks[RULE_TEST_BUFFERS];

static int64_t get_ticks(const struct problem *problem, uint32_t buffer)
{
    (void)problem;
    return ticks[buffer];
}

static int64_t get_area(const struct problem *problem, uint32_t buffer)
{
    return rule_test_size(problem, buffer) * ticks[buffer];
}

#define SPATIAL                                                                                    \
    {                                                                                              \
        {1, rule_test_size},                                                                       \
        {                                                                                          \
            1, get_ticks                                                                           \
        }                                                                                          \
    }
#define TEMPORAL                                                                                   \
    {                                                                                              \
        {1, get_ticks},                                                                            \
        {                                                                                          \
            1, rule_test_size                                                                      \
        }                                                                                          \
    }
#define BOTH                                                                                       \
    {                                                                                              \
        {                                                                                          \
            1, get_area                                                                            \
        }                                                                                          \
    }
static const struct rule_test_how hows[] = {
    {SPATIAL, rule_test_best, 0},  {TEMPORAL, rule_test_best, 0},  {BOTH, rule_test_best, 0},
    {SPATIAL, rule_test_first, 0}, {TEMPORAL, rule_test_first, 0}, {BOTH, rule_test_first, 0},
};

static void place(const struct problem *problem, const struct rule_test_how *how, uint64_t *offset)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        ticks[b] = find_duration(problem, b);
    rule_test_place_sorted(problem, how, offset);
}

/* The best of the first ones, as many as the number says. */
static void place_best(const struct problem *problem, const struct rule_test_how *how,
                       uint64_t *offset)
{
    uint64_t peak = UINT64_MAX, tried[RULE_TEST_BUFFERS];
    for (uint64_t i = 0; i < how->number; i++) {
        place(problem, &hows[i], tried);
        rule_test_keep_least(problem, tried, &peak, offset);
    }
}

static void test_references(void)
{
    static const char *const names[] = {"xla_spatial",          "xla_temporal",
                                        "xla_spatial_temporal", "xla_spatial_lowest",
                                        "xla_temporal_lowest",  "xla_spatial_temporal_lowest"};
    for (int i = 0; i < 6; i++)
        rule_test_compare(names[i], place, &hows[i], i < 3 ? 10000 : 2000);
    rule_test_compare("xla_choose_best", place_best, &(struct rule_test_how){.number = 2}, 2000);
    rule_test_compare("xla_packing_search", place_best, &(struct rule_test_how){.number = 6}, 2000);
}

/* Both live for two steps. b alone is allocated, and freed, among the calls for five others: in
   ticks it is the longer one, and goes first. */
static void test_ticks(void)
{
    static const struct made_buffer rows[] = {{1, 3, 4}, {0, 2, 4}, {0, 1, 1},
                                              {0, 1, 1}, {0, 1, 1}, {2, 3, 1}};
    CU_ASSERT_EQUAL(rows[0].upper - rows[0].lower, rows[1].upper - rows[1].lower);
    struct problem *problem = made_problem(rows, 6);
    CU_ASSERT_EQUAL(find_duration(problem, 0), 3);
    CU_ASSERT_EQUAL(find_duration(problem, 1), 5);
    struct plan *by_ticks = rule_test_run("xla_temporal", problem);
    struct plan *by_steps = rule_test_run("duration_size_best_fit", problem);
    CU_ASSERT_EQUAL(by_ticks->offset[1], 0);
    CU_ASSERT_EQUAL(by_ticks->offset[0], 4);
    CU_ASSERT_EQUAL(by_steps->offset[0], 0);
    CU_ASSERT_EQUAL(by_steps->offset[1], 4);
    plan_free(by_ticks);
    plan_free(by_steps);
    problem_free(problem);
}

static void test_no_memory(void)
{
    rule_test_fail_each("xla_spatial");
    rule_test_fail_each("xla_packing_search");
}

static const struct test_case cases[] = {
    {"durations are ticks", test_ticks},
    {"against pairs and bytes", test_references},
    {"no memory", test_no_memory},
};
TESTING_MAIN("heuristics/xla", cases)
