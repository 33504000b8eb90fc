#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "planning/problem/bounds.h"
#include "planning/problem/clique_cover.h"
#include "planning/problem/conflicts.h"
#include "planning/problem/explicit_conflicts.h"
#include "planning/problem/pair.h"
#include "planning/sketch.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/random_problem.h"
#include "support/testing.h"

enum { SEEDS = 3000, MOST_BUFFERS = 12 };

static void add_pairs(struct problem **problem, struct problem_pair *pair, size_t pairs)
{
    must(problem_conflicts_add(problem, pair, pairs, &error));
    must(problem_finish(*problem, &error));
}

static void expect_segment(const struct problem *problem, uint32_t buffer, uint32_t index,
                           uint32_t lower, uint32_t upper)
{
    uint32_t s = problem->first[buffer] + index;
    CU_ASSERT_FATAL(s < problem->first[buffer + 1]);
    CU_ASSERT_EQUAL(problem->lower[s], lower);
    CU_ASSERT_EQUAL(problem->upper[s], upper);
}

/* The picture in the header. */
static void test_one_step(void)
{
    struct problem_pair pairs[] = {{3, 0}, {0, 2}, {0, 3}, {2, 3}};
    SCOPED(problem_release)
    struct problem *problem = sketch_problem("a:1 0-1 b:1 1-2 c:1 2-4 d:1 3-4");
    add_pairs(&problem, pairs, 4);
    CU_ASSERT_EQUAL(problem->line_end, 4);
    CU_ASSERT_EQUAL(problem_line_steps(problem), 4);
    CU_ASSERT_EQUAL(problem_steps(problem), 5);
    CU_ASSERT_EQUAL(problem->segments, 7);
    expect_segment(problem, 0, 1, 4, 5);
    expect_segment(problem, 1, 0, 1, 2);
    expect_segment(problem, 2, 1, 4, 5);
    expect_segment(problem, 3, 1, 4, 5);
}

/* A pair takes with it the largest clique there is, of pairs and of what is live beside. */
static void test_load(void)
{
    struct problem_pair pairs[] = {{1, 2}};
    uint64_t load;
    SCOPED(problem_release)
    struct problem *problem = sketch_problem("a:8 0-9 b:4 0-3 c:2 4-7 d:1 2-5");
    add_pairs(&problem, pairs, 1);
    CU_ASSERT_EQUAL(problem->line_end, 9);
    must(problem_load(problem, &load, NULL, &error));
    CU_ASSERT_EQUAL(load, 15);
}

static void test_nothing_new(void)
{
    struct problem_pair pairs[] = {{0, 1}};
    SCOPED(problem_release) struct problem *problem = sketch_problem("a:1 0-2 b:1 1-3");
    const struct problem *before = problem;
    add_pairs(&problem, pairs, 1);
    CU_ASSERT_PTR_EQUAL(problem, before);
    CU_ASSERT_EQUAL(problem->line_end, PROBLEM_NO_LINE_END);
    pairs[0].second = 0;
    CU_ASSERT_EQUAL(problem_conflicts_add(&problem, pairs, 1, &error), STATUS_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.text,
                           "found a conflict of buffer 'a' with itself, expected another");
}

/* Half of one and all of another, or both halves of two: no step has them wholly. */
static void test_windows_are_no_conflict(void)
{
    struct problem_pair pairs[] = {{0, 1}};
    SCOPED(problem_release) struct problem *problem = sketch_problem("a:2 0-2/0-1 2-3/0-2 b:2 1-2");
    CU_ASSERT_FALSE(problem_conflicts_in_time(problem, 0, 1, UINT32_MAX));
    add_pairs(&problem, pairs, 1);
    CU_ASSERT_EQUAL(problem->line_end, 3);
    CU_ASSERT(problem_conflicts_in_time(problem, 0, 1, UINT32_MAX));
    CU_ASSERT_FALSE(problem_conflicts_in_time(problem, 0, 1, 3));
}

/* Segments may go on behind the line's end; a window there is no pair. */
static void test_windows_behind_the_line(void)
{
    struct problem_pair *pair;
    size_t pairs;
    SCOPED(problem_release) struct problem *problem = sketch_problem("a:2 0-3 b:2 2-3");
    problem->line_end = 2;
    CU_ASSERT(problem_conflicts_are_pairs(problem));
    must(problem_conflicts_list(problem, &pair, &pairs, &error));
    CU_ASSERT_EQUAL(pairs, 1);
    memory_free(pair);
    problem_free(problem);
    problem = sketch_problem("a:2 0-3 windowed:2 2-3/0-1");
    problem->line_end = 2;
    CU_ASSERT_FALSE(problem_conflicts_are_pairs(problem));
    problem->line_end = 3;
    CU_ASSERT(problem_conflicts_are_pairs(problem));
}

/* At the last steps of a run nothing may be live. */
static void test_line_ends_behind_the_last_segment(void)
{
    SCOPED(memory_release) struct problem_pair *pair = NULL;
    size_t pairs;
    SCOPED(problem_release) struct problem *problem = sketch_problem("a:2 0-3");
    problem->line_end = 5;
    must(problem_conflicts_list(problem, &pair, &pairs, &error));
    CU_ASSERT_EQUAL(pairs, 0);
}

/* What should be in conflict wholly, and is. */
struct relation {
    bool conflict[MOST_BUFFERS][MOST_BUFFERS];
};

static struct relation relate(const struct problem *problem, uint32_t end)
{
    struct relation relation = {0};
    for (uint32_t a = 0; a < problem->buffers; a++)
        for (uint32_t b = 0; b < problem->buffers; b++)
            relation.conflict[a][b] = a != b && problem_conflicts_in_time(problem, a, b, end);
    return relation;
}

static size_t draw_pairs(const struct problem *problem, struct random_state *random,
                         struct relation *relation, struct problem_pair *pair)
{
    size_t pairs = problem->buffers < 2 ? 0 : random_below(random, 2 * problem->buffers);
    for (size_t p = 0; p < pairs; p++) {
        uint32_t a = (uint32_t)random_below(random, problem->buffers);
        uint32_t b = (uint32_t)random_below(random, problem->buffers - 1);
        b += b >= a;
        pair[p] = (struct problem_pair){a, b};
        relation->conflict[a][b] = relation->conflict[b][a] = true;
    }
    return pairs;
}

static struct problem *draw_line(struct random_state *random)
{
    const struct random_problem kind = {.most_buffers = MOST_BUFFERS,
                                        .steps = 9,
                                        .most_size = 6,
                                        .holes = true,
                                        .windows = true,
                                        .alignment = true};
    return random_problem_create(&kind, random);
}

/* The pairs that are listed give the same problem again. */
static void check_listed(const struct problem *problem, struct problem **line,
                         const struct relation *wanted)
{
    SCOPED(memory_release) struct problem_pair *pair = NULL;
    size_t pairs;
    struct relation relation = relate(*line, UINT32_MAX);
    must(problem_conflicts_list(problem, &pair, &pairs, &error));
    for (size_t p = 0; p < pairs; p++) {
        CU_ASSERT(pair[p].first < pair[p].second);
        CU_ASSERT_FALSE(relation.conflict[pair[p].first][pair[p].second]);
    }
    add_pairs(line, pair, pairs);
    relation = relate(*line, UINT32_MAX);
    CU_ASSERT_EQUAL(memcmp(&relation, wanted, sizeof relation), 0);
}

static void test_random(void)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release) struct problem *line = draw_line(&random);
        struct random_state again = random_seed(seed);
        SCOPED(problem_release) struct problem *problem = draw_line(&again);
        struct relation before = relate(problem, UINT32_MAX), wanted = before;
        struct problem_pair pair[2 * MOST_BUFFERS];
        size_t pairs = draw_pairs(problem, &random, &wanted, pair);
        uint32_t steps = problem_steps(problem);
        add_pairs(&problem, pair, pairs);
        struct relation found = relate(problem, UINT32_MAX), in_time = relate(problem, steps);
        CU_ASSERT_EQUAL(memcmp(&found, &wanted, sizeof found), 0);
        CU_ASSERT_EQUAL(memcmp(&in_time, &before, sizeof in_time), 0);
        CU_ASSERT_EQUAL(problem_line_steps(problem), steps);
        check_listed(problem, &line, &wanted);
    }
}

static enum status cover_and_list(const void *input, struct error *failed)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(memory_release) struct problem_pair *listed = NULL;
    struct problem_pair pair[2 * MOST_BUFFERS];
    size_t pairs = 2 * MOST_BUFFERS;
    (void)input;
    TRY(problem_create(&problem, "test", failed));
    for (uint32_t b = 0; b < MOST_BUFFERS; b++) {
        const struct problem_buffer buffer = {"b", 4, 1, PROBLEM_FREE, -1};
        TRY(problem_add_buffer(problem, &buffer, failed));
        if (b % 3)
            TRY(problem_add_segment(problem, (struct problem_segment){b, b + 2, 0, 4}, failed));
        pair[2 * b] = (struct problem_pair){b, (b + 4) % MOST_BUFFERS};
        pair[2 * b + 1] = (struct problem_pair){b, (b + 5) % MOST_BUFFERS};
    }
    TRY(problem_conflicts_add(&problem, pair, pairs, failed));
    return problem_conflicts_list(problem, &listed, &pairs, failed);
}

static void test_allocations(void)
{
    fail_each(cover_and_list, NULL);
}

static const struct test_case cases[] = {
    {"pairs that make one clique with what is live together", test_one_step},
    {"a clique takes what is live beside it", test_load},
    {"pairs that conflict in time are nothing new", test_nothing_new},
    {"windows are no conflict of whole buffers", test_windows_are_no_conflict},
    {"windows behind the line's end", test_windows_behind_the_line},
    {"a line that ends behind the last segment", test_line_ends_behind_the_last_segment},
    {"random pairs are covered, nothing else is", test_random},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("planning/problem_conflicts", cases)
