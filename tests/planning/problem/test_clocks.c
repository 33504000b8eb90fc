/* Clocks against their definition: which buffers conflict, and whether a line of steps says it. */

#include "core/memory.h"
#include "planning/problem/clocks/precedence.h"
#include "planning/problem/clocks_resolve.h"
#include "planning/problem/copy.h"
#include "planning/problem/pair.h"
#include "support/fail_each.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/random_clocks.h"
#include "support/testing.h"

enum { SEEDS = TESTING_COUNT(20000, 2000), MOST_BUFFERS = 10 };

static struct problem *draw_problem(uint64_t seed)
{
    struct random_state random = random_seed(seed);
    return random_clocks_create(MOST_BUFFERS, 9, &random);
}

static struct problem *copy_problem(const struct problem *problem)
{
    struct problem *copy;
    must(problem_create(&copy, "copy", &error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        must(problem_add_copy(copy, problem, b, &error));
    return copy;
}

static bool is_before(const struct precedence *precedence, uint32_t a, uint32_t b)
{
    return a != b && precedence_is_before(precedence, a, b);
}

/* Two chains a < b and c < d with nothing between them. */
static bool has_two_plus_two(const struct precedence *order)
{
    for (uint32_t a = 0; a < order->buffers; a++)
        for (uint32_t b = 0; b < order->buffers; b++)
            for (uint32_t c = 0; c < order->buffers && is_before(order, a, b); c++)
                for (uint32_t d = 0; d < order->buffers; d++)
                    if (is_before(order, c, d) && !is_before(order, a, d) &&
                        !is_before(order, c, b))
                        return true;
    return false;
}

static void test_precedence(void)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        SCOPED(problem_release) struct problem *problem = draw_problem(seed);
        SCOPED(precedence_release) struct precedence *precedence = NULL;
        uint32_t lower[MOST_BUFFERS], upper[MOST_BUFFERS];
        bool is_line;
        must(precedence_create(problem->clocks, &precedence, &error));
        for (uint32_t a = 0; a < problem->buffers; a++)
            for (uint32_t b = 0; b < a; b++)
                CU_ASSERT_EQUAL(precedence_conflict(precedence, a, b),
                                random_clocks_conflict(problem, a, b));
        must(precedence_linearise(precedence, lower, upper, &is_line, &error));
        CU_ASSERT_EQUAL(is_line, !has_two_plus_two(precedence));
    }
}

/* The list of each buffer holds what conflicts with it, once, and nothing else. */
static void test_lists(void)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        SCOPED(problem_release) struct problem *problem = draw_problem(seed);
        SCOPED(precedence_release) struct precedence *precedence = NULL;
        SCOPED(memory_release) uint32_t *other = NULL;
        uint32_t count[MOST_BUFFERS];
        uint64_t first[MOST_BUFFERS + 1] = {0};
        must(precedence_create(problem->clocks, &precedence, &error));
        must(precedence_count_each(precedence, count, &error));
        for (uint32_t b = 0; b < problem->buffers; b++)
            first[b + 1] = first[b] + count[b];
        must(memory_create(&other, first[problem->buffers], sizeof *other, &error));
        must(precedence_list_conflicts(precedence, first, other, &error));
        for (uint32_t b = 0; b < problem->buffers; b++) {
            bool listed[MOST_BUFFERS] = {false};
            for (uint64_t i = first[b]; i < first[b + 1]; i++) {
                CU_ASSERT_FALSE_FATAL(listed[other[i]]);
                listed[other[i]] = true;
            }
            for (uint32_t c = 0; c < problem->buffers; c++)
                CU_ASSERT_EQUAL_FATAL(listed[c], c != b && random_clocks_conflict(problem, b, c));
        }
    }
}

/* The conflicts are the same before and after, as segments or as conflict steps. */
static void test_resolve(void)
{
    uint32_t lines = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        SCOPED(problem_release) struct problem *problem = draw_problem(seed);
        SCOPED(problem_release) struct problem *resolved = copy_problem(problem);
        must(problem_clocks_resolve(&resolved, &error));
        must(problem_finish(resolved, &error));
        for (uint32_t a = 0; a < problem->buffers; a++)
            for (uint32_t b = 0; b < a; b++)
                CU_ASSERT_EQUAL(problem_conflicts_in_time(resolved, a, b, PROBLEM_NO_LINE_END),
                                random_clocks_conflict(problem, a, b));
        bool is_line = resolved->line_end == PROBLEM_NO_LINE_END;
        CU_ASSERT_EQUAL(problem_streams(resolved) > 0, !is_line);
        lines += is_line;
    }
    CU_ASSERT(lines > SEEDS / 10 && lines < SEEDS * 9 / 10);
}

/* Other clocks that say the same: the streams the other way round, each component doubled. */
static struct problem *respell(const struct problem *problem)
{
    struct problem *other = copy_problem(problem);
    uint32_t streams = problem_streams(problem);
    for (size_t row = 0; row < (size_t)problem->buffers * 2; row++)
        for (uint32_t s = 0; s < streams; s++)
            other->clocks->row[row * streams + s] =
                problem->clocks->row[row * streams + streams - 1 - s] * 2 + 1;
    return other;
}

static bool are_equal_columns(const struct problem *problem, uint32_t a, uint32_t b)
{
    const uint32_t *row = problem->clocks->row;
    for (size_t i = 0; i < (size_t)problem->buffers * 2; i++, row += problem_streams(problem))
        if (row[a] != row[b])
            return false;
    return true;
}

static bool is_constant_column(const struct problem *problem, uint32_t stream)
{
    const uint32_t *row = problem->clocks->row;
    for (size_t i = 0; i < (size_t)problem->buffers * 2; i++)
        if (row[i * problem_streams(problem) + stream] != row[stream])
            return false;
    return true;
}

/* All streams but one say nothing, or what that one says. */
static bool is_one_stream(const struct problem *problem)
{
    uint32_t first = 0, others = 0;
    while (is_constant_column(problem, first))
        first++;
    for (uint32_t s = first + 1; s < problem_streams(problem); s++)
        others += !is_constant_column(problem, s) && !are_equal_columns(problem, first, s);
    return others == 0;
}

/* The steps of one stream stay what they are called, those of a line of several are counted. */
static void test_lines_are_unique(void)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        SCOPED(problem_release) struct problem *one = draw_problem(seed), *two = respell(one);
        uint32_t factor = is_one_stream(one) ? 2 : 1, more = factor - 1;
        must(problem_clocks_resolve(&one, &error));
        must(problem_clocks_resolve(&two, &error));
        CU_ASSERT_EQUAL(problem_streams(one), problem_streams(two));
        for (uint32_t b = 0; b < one->buffers && !problem_streams(one); b++) {
            CU_ASSERT_EQUAL(problem_lower(one, b) * factor + more, problem_lower(two, b));
            CU_ASSERT_EQUAL(problem_upper(one, b) * factor + more, problem_upper(two, b));
        }
    }
}

static void add(struct problem *problem, uint32_t streams, const uint32_t *start,
                const uint32_t *end)
{
    char name[2] = {(char)('a' + problem->buffers), '\0'};
    made_problem_buffer(problem, name, 1, 1, PROBLEM_FREE);
    must(problem_add_clock(problem, (struct clock){streams, start, end}, &error));
}

/* The picture in the header, with a stream that stands still and one that says what
   another says. */
static void test_reduced(void)
{
    SCOPED(problem_release) struct problem *problem = made_problem_start();
    add(problem, 4, (uint32_t[]){0, 7, 0, 0}, (uint32_t[]){1, 7, 0, 0});
    add(problem, 4, (uint32_t[]){0, 7, 0, 0}, (uint32_t[]){0, 7, 1, 1});
    add(problem, 4, (uint32_t[]){1, 7, 1, 1}, (uint32_t[]){2, 7, 1, 1});
    must(problem_clocks_resolve(&problem, &error));
    CU_ASSERT_EQUAL(problem_streams(problem), 0);
    CU_ASSERT_EQUAL(problem_upper(problem, 0), 1);
    CU_ASSERT_EQUAL(problem_upper(problem, 1), 1);
    CU_ASSERT_EQUAL(problem_lower(problem, 2), 1);
}

/* Two chains that know nothing of each other: no line of steps. */
static struct problem *make_two_plus_two(void)
{
    struct problem *problem = made_problem_start();
    add(problem, 3, (uint32_t[]){0, 5, 0}, (uint32_t[]){1, 5, 0});
    add(problem, 3, (uint32_t[]){1, 5, 0}, (uint32_t[]){2, 5, 0});
    add(problem, 3, (uint32_t[]){0, 5, 0}, (uint32_t[]){0, 5, 1});
    add(problem, 3, (uint32_t[]){0, 5, 1}, (uint32_t[]){0, 5, 2});
    return problem;
}

static void test_two_plus_two(void)
{
    SCOPED(problem_release) struct problem *problem = make_two_plus_two();
    must(problem_clocks_resolve(&problem, &error));
    CU_ASSERT_EQUAL(problem_streams(problem), 2);
    CU_ASSERT_EQUAL(problem->line_end, 0);
    CU_ASSERT_EQUAL(problem_clock(problem, 3).start[1], 1);
    CU_ASSERT_EQUAL(problem_clock(problem, 3).end[1], 2);
    CU_ASSERT_FALSE(problem_conflicts_in_time(problem, 0, 1, PROBLEM_NO_LINE_END));
    CU_ASSERT_TRUE(problem_conflicts_in_time(problem, 1, 2, PROBLEM_NO_LINE_END));
}

static void expect_refusal(struct problem *problem, uint32_t streams, const uint32_t *row,
                           const char *expected)
{
    const struct clock clock = {streams, row, row + streams};
    CU_ASSERT_EQUAL(problem_add_clock(problem, clock, &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text, expected);
}

static void test_faults(void)
{
    SCOPED(problem_release) struct problem *problem = made_problem_start();
    made_problem_buffer(problem, "a", 1, 1, PROBLEM_FREE);
    expect_refusal(problem, 0, (uint32_t[]){0},
                   "found a clock of no stream of buffer 'a', expected one at least");
    expect_refusal(problem, 2, (uint32_t[]){0, 3, 1, 2},
                   "found a clock of buffer 'a' that starts at 3 and ends at 2 on stream 1, "
                   "expected start <= end");
    expect_refusal(problem, 2, (uint32_t[]){4, 3, 4, 3},
                   "found a clock of buffer 'a' that ends where it starts, expected start < end on "
                   "some stream");
    must(problem_add_clock(problem, (struct clock){2, (uint32_t[]){0, 0}, (uint32_t[]){0, 1}},
                           &error));
    made_problem_buffer(problem, "b", 1, 1, PROBLEM_FREE);
    expect_refusal(problem, 3, (uint32_t[]){0, 0, 0, 1, 1, 1},
                   "found a clock of 3 streams of buffer 'b', expected 2 as before");
}

static enum status resolve_anew(const void *input, struct error *found)
{
    const struct problem *source = input;
    SCOPED(problem_release) struct problem *problem = NULL;
    TRY(problem_create(&problem, "anew", found));
    for (uint32_t b = 0; b < source->buffers; b++)
        TRY(problem_add_copy(problem, source, b, found));
    return problem_clocks_resolve(&problem, found);
}

static void test_allocations(void)
{
    SCOPED(problem_release) struct problem *problem = make_two_plus_two();
    fail_each(resolve_anew, problem);
    problem->clocks->row[19] = 1; /* the last buffer begins after the first */
    problem->clocks->row[18] = 1;
    problem->clocks->row[21] = 1;
    fail_each(resolve_anew, problem);
}

int main(void)
{
    static const struct test_case cases[] = {
        {"precedence is its definition", test_precedence},
        {"lists of conflicts", test_lists},
        {"resolving keeps the conflicts", test_resolve},
        {"equal orders have equal lines", test_lines_are_unique},
        {"streams that say nothing are dropped", test_reduced},
        {"two plus two is no line", test_two_plus_two},
        {"faults", test_faults},
        {"allocations that fail", test_allocations},
    };
    return testing_run("planning/problem/clocks", cases, sizeof cases / sizeof *cases);
}
