#include <stdio.h>
#include <string.h>

#include "planning/problem/bounds.h"
#include "planning/problem/copy.h"
#include "planning/problem/problem.h"
#include "planning/problem/unit.h"
#include "planning/sketch.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/random_problem.h"
#include "support/testing.h"

static enum status add_buffer(struct problem *problem, uint64_t size, uint64_t alignment,
                              uint64_t fixed_offset)
{
    const struct problem_buffer buffer = {"b", size, alignment, fixed_offset, -1};
    return problem_add_buffer(problem, &buffer, &error);
}

static void add_sized(struct problem *problem, uint64_t size)
{
    CU_ASSERT_EQUAL_FATAL(add_buffer(problem, size, 1, PROBLEM_FREE), STATUS_OK);
}

static void add_whole(struct problem *problem, uint32_t lower, uint32_t upper)
{
    made_problem_segment(
        problem, (struct problem_segment){lower, upper, 0, problem->size[problem->buffers - 1]});
}

static void expect_refused(enum status status, const char *text)
{
    CU_ASSERT_EQUAL(status, STATUS_BAD_INPUT);
    if (strcmp(error.text, text) != 0)
        printf("\nfound: %s\nexpected: %s\n", error.text, text);
    CU_ASSERT_STRING_EQUAL(error.text, text);
}

static void test_refused_buffers(void)
{
    static const struct {
        uint64_t size, alignment, fixed;
        const char *text;
    } rows[] = {
        {0, 1, PROBLEM_FREE, "buffer 'b' has size 0, expected at least 1"},
        {1, 0, PROBLEM_FREE, "buffer 'b' has alignment 0, expected at least 1"},
        {1, 8, 12, "buffer 'b' has offset 12, expected a multiple of its alignment 8"},
        {8, 1, INT64_MAX - (uint64_t)6, "buffer 'b' ends beyond 2^63 - 1 bytes"},
        {8, 1, INT64_MAX - (uint64_t)7, "buffer 'b' ends beyond 2^63 - 1 bytes"},
    };
    SCOPED(problem_release) struct problem *problem = made_problem_start();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_refused(add_buffer(problem, rows[i].size, rows[i].alignment, rows[i].fixed),
                       rows[i].text);
    CU_ASSERT_EQUAL(problem->buffers, 0);
    CU_ASSERT_EQUAL(add_buffer(problem, 8, 1, INT64_MAX - (uint64_t)8), STATUS_OK);
    CU_ASSERT_EQUAL(add_buffer(problem, 8, 8, 0), STATUS_OK);
    CU_ASSERT_EQUAL(problem->buffers, 2);
}

/* A segment of a buffer of 8 bytes that is live in [4, 6) already. */
static void test_refused_segments(void)
{
    static const struct {
        struct problem_segment segment;
        const char *text;
    } rows[] = {
        {{7, 7, 0, 8}, "buffer 'b' lives in [7, 7), expected lower < upper"},
        {{8, 7, 0, 8}, "buffer 'b' lives in [8, 7), expected lower < upper"},
        {{5, 7, 0, 8},
         "buffer 'b' lives from 5 after it lived to 6, expected segments in order that do not "
         "overlap"},
        {{0, 2, 0, 8},
         "buffer 'b' lives from 0 after it lived to 6, expected segments in order that do not "
         "overlap"},
        {{6, 7, 3, 3}, "buffer 'b' uses the window [3, 3), expected one inside its 8 bytes"},
        {{6, 7, 4, 3}, "buffer 'b' uses the window [4, 3), expected one inside its 8 bytes"},
        {{6, 7, 0, 9}, "buffer 'b' uses the window [0, 9), expected one inside its 8 bytes"},
    };
    SCOPED(problem_release) struct problem *problem = sketch_problem("b:8 4-6");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_refused(problem_add_segment(problem, rows[i].segment, &error), rows[i].text);
    CU_ASSERT_EQUAL(problem->segments, 1);
    made_problem_segment(problem, (struct problem_segment){6, 7, 7, 8});
    add_sized(problem, 8);
    add_whole(problem, 0, 2);
    CU_ASSERT_EQUAL(problem->segments, 3);
}

static void test_too_many_segments(void)
{
    SCOPED(problem_release) struct problem *problem = made_problem_start();
    add_sized(problem, 8);
    problem->segments = problem->first[0] = UINT32_MAX / 2;
    expect_refused(problem_add_segment(problem, (struct problem_segment){0, 1, 0, 8}, &error),
                   "more than 2147483647 segments");
}

static void test_refused_at_the_end(void)
{
    SCOPED(problem_release) struct problem *problem = sketch_problem("a:8 0-1 b:8");
    expect_refused(problem_finish(problem, &error), "buffer 'b' is never live");
}

static void expect_time_steps(const struct problem *problem, uint32_t buffer, uint32_t lower,
                              uint32_t upper)
{
    uint32_t found_lower, found_upper;
    problem_time_steps(problem, buffer, &found_lower, &found_upper);
    CU_ASSERT_EQUAL(found_lower, lower);
    CU_ASSERT_EQUAL(found_upper, upper);
}

static void test_time_steps(void)
{
    SCOPED(problem_release) struct problem *problem = sketch_problem("a:8 1-2 3-5 6-8");
    expect_time_steps(problem, 0, 1, 8);
    CU_ASSERT_EQUAL(problem_line_steps(problem), 8);
    problem->line_end = 6;
    add_sized(problem, 8);
    add_whole(problem, 7, 9);
    CU_ASSERT_EQUAL(problem_line_steps(problem), 6);
    CU_ASSERT_EQUAL(problem_steps(problem), 9);
    expect_time_steps(problem, 0, 1, 5);
    expect_time_steps(problem, 1, 6, 6);
    problem->line_end = 4;
    expect_time_steps(problem, 0, 1, 4);
    CU_ASSERT_EQUAL(problem_duration(problem, 0), 2);
    CU_ASSERT_EQUAL(problem_duration(problem, 1), 0);
}

/* Two buffers, the second aligned. Every format and database holds integers up to 2^63 - 1; padding
   counts. */
static void test_refused_sums(void)
{
    static const char sizes[] = "the sizes add up to more than 2^63 - 1 bytes at buffer 'b'";
    static const char padded[] =
        "the sizes and what alignments may cost add up to more than 2^63 - 1 bytes at buffer 'b'";
    static const struct {
        uint64_t first, second, alignment;
        const char *text; /* NULL where it is accepted */
    } rows[] = {
        {INT64_MAX - (uint64_t)8, 8, 1, NULL},
        {INT64_MAX - (uint64_t)7, 8, 1, sizes},
        {INT64_MAX - (uint64_t)6, 8, 1, sizes},
        {1, UINT64_MAX, 1, sizes},
        {1, UINT64_MAX - 2, 8, sizes},
        {INT64_MAX - (uint64_t)15, 8, 8, NULL},
        {INT64_MAX - (uint64_t)14, 8, 8, padded},
        {((uint64_t)1 << 62) + 1, 3, (uint64_t)1 << 62, padded},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(problem_release) struct problem *problem = made_problem_start();
        add_sized(problem, rows[i].first);
        add_whole(problem, 0, 1);
        must(add_buffer(problem, rows[i].second, rows[i].alignment, PROBLEM_FREE));
        add_whole(problem, 1, 2);
        if (rows[i].text)
            expect_refused(problem_finish(problem, &error), rows[i].text);
        else
            must(problem_finish(problem, &error));
    }
}

static uint64_t get_load(const struct problem *problem, uint32_t *step)
{
    uint64_t load;
    must(problem_load(problem, &load, step, &error));
    return load;
}

static uint64_t get_bound(const struct problem *problem)
{
    uint64_t bytes;
    must(bound_peak(problem, &bytes, &error));
    return bytes;
}

/* Three buffers that are live together at multiples of 4 lie 8 apart, and the one of 5 bytes, which
   leaves most behind it, lies on top. */
static void test_bound_of_aligned(void)
{
    SCOPED(problem_release) struct problem *problem = made_problem_start();
    for (uint32_t b = 0; b < 3; b++) {
        must(add_buffer(problem, 5 + b, 4, PROBLEM_FREE));
        add_whole(problem, 0, 2);
    }
    must(problem_finish(problem, &error));
    CU_ASSERT_EQUAL(get_load(problem, NULL), 18);
    CU_ASSERT_EQUAL(get_bound(problem), 21);

    /* One that may lie anywhere can take what the others leave. */
    SCOPED(problem_release) struct problem *mixed = made_problem_start();
    for (uint32_t b = 0; b < 3; b++) {
        must(add_buffer(mixed, 5 + b, b ? 4 : 1, PROBLEM_FREE));
        add_whole(mixed, 0, 2);
    }
    must(problem_finish(mixed, &error));
    CU_ASSERT_EQUAL(get_bound(mixed), 18);
}

/* The unit falls until it divides each alignment or is a multiple of it. */
static void test_unit(void)
{
    static const struct {
        uint64_t size[2], alignment[2], fixed, unit;
    } rows[] = {
        {{36, 72}, {9, 8}, PROBLEM_FREE, 1}, {{12, 18}, {1, 1}, PROBLEM_FREE, 6},
        {{16, 8}, {8, 4}, PROBLEM_FREE, 8},  {{16, 8}, {64, 16}, PROBLEM_FREE, 8},
        {{12, 12}, {8, 1}, PROBLEM_FREE, 4}, {{12, 24}, {1, 1}, 8, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(problem_release) struct problem *problem = made_problem_start();
        for (uint32_t b = 0; b < 2; b++) {
            must(add_buffer(problem, rows[i].size[b], rows[i].alignment[b],
                            b ? rows[i].fixed : PROBLEM_FREE));
            add_whole(problem, 0, 1);
        }
        must(problem_finish(problem, &error));
        CU_ASSERT_EQUAL(problem_unit_bytes(problem), rows[i].unit);
    }
}

static void test_empty(void)
{
    SCOPED(problem_release) struct problem *problem = made_problem_start();
    uint32_t step = 9;
    must(problem_finish(problem, &error));
    CU_ASSERT_EQUAL(problem->first[0], 0);
    CU_ASSERT_EQUAL(problem_steps(problem), 0);
    CU_ASSERT_EQUAL(problem_naive_bytes(problem), 0);
    CU_ASSERT_EQUAL(get_load(problem, &step), 0);
    CU_ASSERT_EQUAL(step, 0);
    CU_ASSERT_FALSE(problem_has_windows(problem));
    problem_free(NULL);
}

/* Bytes live at each step:

       step          0   1   2   3   4   5   6
       a 8           8   8   .   .   8   8   .
       b 5, windows  .   2   2   5   5   .   .
       c 3           .   .   .   3   3   3   3    */
static struct problem *create_three(void)
{
    return sketch_problem("a:8 0-2 4-6 b:5 1-3/1-3 3-5 c:3 3-7");
}

static void test_measures(void)
{
    SCOPED(problem_release) struct problem *problem = create_three();
    uint32_t step;
    CU_ASSERT_EQUAL(problem_lower(problem, 0), 0);
    CU_ASSERT_EQUAL(problem_upper(problem, 0), 6);
    CU_ASSERT_EQUAL(problem_duration(problem, 0), 4);
    CU_ASSERT_EQUAL(problem_duration(problem, 1), 4);
    CU_ASSERT_EQUAL(problem_steps(problem), 7);
    CU_ASSERT_EQUAL(problem_naive_bytes(problem), 16);
    CU_ASSERT_EQUAL(get_load(problem, &step), 16);
    CU_ASSERT_EQUAL(step, 4);
    CU_ASSERT_EQUAL(get_load(problem, NULL), 16);
    CU_ASSERT_TRUE(problem_has_windows(problem));
}

static void test_copies(void)
{
    SCOPED(problem_release) struct problem *source = create_three();
    SCOPED(problem_release) struct problem *copy = made_problem_start();
    const struct problem_buffer last = {"last", 16, 8, 32, 5};
    must(problem_add_buffer(source, &last, &error));
    made_problem_segment(source, (struct problem_segment){2, 9, 8, 16});
    must(problem_add_copy(copy, source, 3, &error));
    must(problem_add_copy(copy, source, 0, &error));
    must(problem_finish(copy, &error));
    CU_ASSERT_TRUE(copy->buffers == 2 && copy->segments == 3);
    CU_ASSERT_STRING_EQUAL(names_get(&copy->names, 0), "last");
    CU_ASSERT_TRUE(copy->size[0] == 16 && problem_alignment(copy, 0) == 8);
    CU_ASSERT_TRUE(problem_fixed_offset(copy, 0) == 32 && problem_hint(copy, 0) == 5);
    CU_ASSERT_TRUE(problem_window_lower(copy, 0) == 8 && problem_window_upper(copy, 0) == 16);
    CU_ASSERT_TRUE(problem_lower(copy, 0) == 2 && problem_upper(copy, 0) == 9);
    CU_ASSERT_TRUE(problem_lower(copy, 1) == 0 && problem_upper(copy, 1) == 6);
    CU_ASSERT_EQUAL(problem_duration(copy, 1), 4);
}

/* What ends at a step makes room for what starts there; the first of equal steps is named. */
static void test_load_is_half_open(void)
{
    SCOPED(problem_release)
    struct problem *problem = sketch_problem("a:5 0-3 b:5 3-6 c:5 6-9 d:5 9-12");
    uint32_t step;
    CU_ASSERT_EQUAL(get_load(problem, &step), 5);
    CU_ASSERT_EQUAL(step, 0);
    CU_ASSERT_FALSE(problem_has_windows(problem));
}

static uint64_t sum_live(const struct problem *problem, uint32_t step)
{
    uint64_t bytes = 0;
    for (uint32_t s = 0; s < problem->segments; s++)
        if (problem->lower[s] <= step && step < problem->upper[s])
            bytes += problem_window_upper(problem, s) - problem_window_lower(problem, s);
    return bytes;
}

static void test_load_by_counting(void)
{
    const struct random_problem kind = {
        .most_buffers = 20, .steps = 15, .most_size = 20, .holes = true, .windows = true};
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        uint64_t most = 0;
        uint32_t step, first = 0;
        for (uint32_t i = 0; i < problem_steps(problem); i++)
            if (sum_live(problem, i) > most) {
                most = sum_live(problem, i);
                first = i;
            }
        CU_ASSERT_EQUAL(get_load(problem, &step), most);
        CU_ASSERT_EQUAL(step, first);
    }
}

static void test_align(void)
{
    static const struct {
        uint64_t alignment, fixed_offset, wanted;
        enum status status;
        uint64_t aligned; /* where it worked */
    } rows[] = {{1, PROBLEM_FREE, 8, STATUS_OK, 8},
                {6, PROBLEM_FREE, 4, STATUS_OK, 12},
                {8, PROBLEM_FREE, 1, STATUS_OK, 8},
                {4, 24, 6, STATUS_OK, 12},
                {4, 8, 6, STATUS_NO, 0},
                {UINT64_C(1) << 62, PROBLEM_FREE, 5, STATUS_BAD_INPUT, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(problem_release) struct problem *problem = made_problem_start();
        must(add_buffer(problem, 4, rows[i].alignment, rows[i].fixed_offset));
        add_whole(problem, 0, 1);
        CU_ASSERT_EQUAL(problem_align(problem, rows[i].wanted, &error), rows[i].status);
        if (!rows[i].status)
            CU_ASSERT_EQUAL(problem_alignment(problem, 0), rows[i].aligned);
    }
}

static const struct test_case cases[] = {
    {"refused buffers", test_refused_buffers},
    {"refused segments", test_refused_segments},
    {"too many segments", test_too_many_segments},
    {"buffers that are never live", test_refused_at_the_end},
    {"time steps of a buffer", test_time_steps},
    {"sums beyond 2^63 - 1", test_refused_sums},
    {"an empty problem", test_empty},
    {"steps, durations, sums", test_measures},
    {"copies of buffers", test_copies},
    {"all aligned", test_align},
    {"the unit of all offsets", test_unit},
    {"the bound of aligned buffers", test_bound_of_aligned},
    {"the load of lifetimes that touch", test_load_is_half_open},
    {"the load by counting", test_load_by_counting},
};

TESTING_MAIN("planning/problem", cases)
