#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "datasets/csv/problem.h"
#include "datasets/memplan_json/problem.h"
#include "planning/problem/clocks_resolve.h"
#include "planning/problem/explicit_conflicts.h"
#include "planning/problem/pair.h"
#include "support/must.h"
#include "support/random_clocks.h"
#include "support/random_problem.h"

/* Problems with several segments, byte windows, alignment, fixed offsets and conflicts of pairs
   come back from every format. */

enum { PROBLEMS = 1500, STEPS = 14 };

static struct problem *draw_problem(uint64_t seed)
{
    const struct random_problem kind = {.most_buffers = 9,
                                        .steps = STEPS,
                                        .most_size = 9,
                                        .holes = true,
                                        .many_holes = seed % 3,
                                        .windows = seed % 4,
                                        .alignment = seed % 5 == 0,
                                        .fixed = seed % 7 == 0,
                                        .conflicts = seed % 2};
    struct random_state random = random_seed(seed);
    return random_problem_create(&kind, &random);
}

static struct problem *read_csv(const struct text *text)
{
    struct problem *problem = NULL;
    must(problem_csv_read(text, "random.csv", NULL, &problem, &error));
    return problem;
}

static struct problem *read_json(const struct text *text)
{
    struct problem *problem = NULL;
    must(problem_json_read(text, "random.json", false, &problem, &error));
    return problem;
}

/* The bytes of a buffer in use at a step; none is an empty window. */
struct window {
    uint64_t lower, upper;
};

static struct window find_window(const struct problem *problem, uint32_t b, uint32_t step)
{
    for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
        if (problem->lower[s] <= step && step < problem->upper[s])
            return (struct window){problem_window_lower(problem, s),
                                   problem_window_upper(problem, s)};
    return (struct window){0, 0};
}

static bool same_steps(const struct problem *a, const struct problem *b, uint32_t steps)
{
    bool same = a->buffers == b->buffers;
    for (uint32_t i = 0; same && i < a->buffers; i++) {
        same = a->size[i] == b->size[i] && problem_alignment(a, i) == problem_alignment(b, i) &&
               problem_fixed_offset(a, i) == problem_fixed_offset(b, i);
        for (uint32_t step = 0; step < steps; step++) {
            struct window left = find_window(a, i, step), right = find_window(b, i, step);
            same = same && left.lower == right.lower && left.upper == right.upper;
        }
    }
    return same;
}

static bool same_conflicts(const struct problem *a, const struct problem *b)
{
    for (uint32_t i = 0; i < a->buffers; i++)
        for (uint32_t j = 0; j < i; j++)
            if (problem_conflicts_in_time(a, i, j, PROBLEM_NO_LINE_END) !=
                problem_conflicts_in_time(b, i, j, PROBLEM_NO_LINE_END))
                return false;
    return true;
}

/* A file in CSV knows steps only; those behind the line's end are like any there. */
static void test_csv(void)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        SCOPED(problem_release) struct problem *problem = draw_problem(seed);
        SCOPED(text_free) struct text text = {0};
        must(problem_csv_write(problem, &text, &error));
        SCOPED(problem_release) struct problem *again = read_csv(&text);
        CU_ASSERT_TRUE(same_steps(problem, again, problem_steps(problem)));
        CU_ASSERT_EQUAL(problem_steps(problem), problem_steps(again));
    }
}

static void test_json(void)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        SCOPED(problem_release) struct problem *problem = draw_problem(seed);
        SCOPED(text_free) struct text text = {0};
        SCOPED(text_free) struct text rewritten = {0};
        must(problem_json_write(problem, &text, &error));
        SCOPED(problem_release) struct problem *again = read_json(&text);
        CU_ASSERT_TRUE(same_steps(problem, again, problem_line_steps(problem)));
        CU_ASSERT_TRUE(same_conflicts(problem, again));
        CU_ASSERT_EQUAL(problem_line_steps(problem), problem_line_steps(again));
        if (seed % 3 == 0) { /* no segments that adjoin, which reading joins */
            must(problem_json_write(again, &rewritten, &error));
            CU_ASSERT_STRING_EQUAL(rewritten.bytes, text.bytes);
        }
    }
}

static struct problem *draw_clocks(uint64_t seed)
{
    struct random_state random = random_seed(seed);
    struct problem *problem = random_clocks_create(9, 9, &random);
    must(problem_clocks_resolve(&problem, &error));
    must(problem_finish(problem, &error));
    return problem;
}

static bool same_content(const struct problem *a, const struct problem *b)
{
    char one[DIGEST_TEXT_BYTES], two[DIGEST_TEXT_BYTES];
    must(problem_json_digest(a, one, &error));
    must(problem_json_digest(b, two, &error));
    return strcmp(one, two) == 0;
}

/* The same buffers, with what conflicts as pairs. */
static struct problem *list_pairs(const struct problem *problem)
{
    struct problem *listed;
    struct problem_pair *pair;
    size_t pairs;
    must(problem_conflicts_list(problem, &pair, &pairs, &error));
    must(problem_create(&listed, "listed", &error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        struct problem_buffer buffer = {names_get(&problem->names, b), problem->size[b], 1,
                                        PROBLEM_FREE, -1};
        must(problem_add_buffer(listed, &buffer, &error));
    }
    must(problem_conflicts_add(&listed, pair, pairs, &error));
    memory_free(pair);
    return listed;
}

/* Both formats keep clocks, and clocks and pairs that say the same have one content. */
static void test_clocks(void)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        SCOPED(problem_release) struct problem *problem = draw_clocks(seed);
        SCOPED(text_free) struct text csv = {0};
        SCOPED(text_free) struct text json = {0};
        must(problem_csv_write_noted(problem, &csv, &error));
        must(problem_json_write(problem, &json, &error));
        SCOPED(problem_release) struct problem *from_csv = read_csv(&csv);
        SCOPED(problem_release) struct problem *from_json = read_json(&json);
        size_t components = (size_t)problem->buffers * 2 * problem_streams(problem);
        CU_ASSERT_EQUAL_FATAL(problem_streams(from_csv), problem_streams(problem));
        CU_ASSERT_EQUAL_FATAL(problem_streams(from_json), problem_streams(problem));
        if (components) {
            size_t bytes = components * sizeof *problem->clocks->row;
            CU_ASSERT_EQUAL(memcmp(from_csv->clocks->row, problem->clocks->row, bytes), 0);
            CU_ASSERT_EQUAL(memcmp(from_json->clocks->row, problem->clocks->row, bytes), 0);
            SCOPED(problem_release) struct problem *listed = list_pairs(problem);
            CU_ASSERT_TRUE(same_content(listed, problem));
        }
        CU_ASSERT_TRUE(same_content(from_csv, problem));
        CU_ASSERT_TRUE(same_content(from_json, problem));
    }
}

static void place_end_to_end(const struct problem *problem, struct plan *plan)
{
    uint64_t next = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        plan->offset[b] = next;
        next += problem->size[b];
    }
    plan->status = PLAN_FEASIBLE;
}

static void test_plan_csv(void)
{
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        SCOPED(problem_release)
        struct problem *problem = seed % 2 ? draw_problem(seed) : draw_clocks(seed);
        SCOPED(plan_release) struct plan *plan = NULL;
        SCOPED(plan_release) struct plan *again = NULL;
        SCOPED(text_free) struct text text = {0};
        must(plan_create(problem, &plan, &error));
        must(plan_create(problem, &again, &error));
        place_end_to_end(problem, plan);
        must(problem_csv_write_plan(problem, plan, &text, &error));
        must(problem_csv_read_plan(&text, "plan.csv", problem, again, &error));
        CU_ASSERT_EQUAL(
            memcmp(plan->offset, again->offset, problem->buffers * sizeof *plan->offset), 0);
    }
}

static const struct test_case cases[] = {
    {"problem CSV", test_csv},
    {"problem JSON", test_json},
    {"clocks", test_clocks},
    {"plan CSV", test_plan_csv},
};
TESTING_MAIN("datasets/round_trips", cases)
