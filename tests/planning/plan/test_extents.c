#include "planning/execute/execute.h"
#include "planning/sketch.h"
#include "planning/verify/describe.h"
#include "planning/verify/paths/paths.h"
#include "planning/verify/problem/plan.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/random_problem.h"
#include "support/testing.h"
#include "support/verify_pairwise.h"

/* Item 1 of three has ten bytes in three extents, the last one first in the arena. */
static struct extents *make_extents(void)
{
    struct extents *extents = NULL;
    static const struct extent added[] = {{20, 4}, {30, 5}, {7, 1}};
    for (int i = 0; i < 3; i++)
        must(extents_add(&extents, 3, 1, added[i], &error));
    return extents;
}

static void test_walk(void)
{
    static const struct {
        bool split;
        uint32_t item;
        uint64_t offset, from, to;
        const char *pieces;
    } rows[] = {{false, 0, 5, 0, 3, "[5, 8)"},
                {true, 0, 5, 1, 3, "[6, 8)"},
                {true, 1, 20, 0, 10, "[20, 24) + [30, 35) + [7, 8)"},
                {true, 1, 20, 3, 5, "[23, 24) + [30, 31)"},
                {true, 1, 20, 4, 9, "[30, 35)"},
                {true, 1, 20, 9, 10, "[7, 8)"},
                {true, 2, 0, 0, 6, "[0, 1) + [10, 11) + [20, 21) + [50, 51) + 2 more"}};
    SCOPED(extents_release) struct extents *extents = make_extents();
    char text[64], shortened[12];
    CU_ASSERT_EQUAL(extents_end(extents, 1, 20, 10), 35);
    CU_ASSERT_EQUAL(extents_end(extents, 2, 20, 10), 30);
    CU_ASSERT_EQUAL(extents_split_items(extents), 1);
    CU_ASSERT_EQUAL(extents_split_items(NULL), 0);
    for (uint64_t i = 0; i < 6; i++) {
        const struct extent added = {i < 3 ? 10 * i : 44 + 2 * i, 1};
        must(extents_add(&extents, 3, 2, added, &error));
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct extents_walk walk = extents_begin(rows[i].split ? extents : NULL, rows[i].item,
                                                 rows[i].offset, rows[i].from, rows[i].to);
        extents_describe(walk, text, sizeof text);
        CU_ASSERT_STRING_EQUAL(text, rows[i].pieces);
    }
    extents_describe(extents_begin(extents, 1, 20, 0, 10), shortened, sizeof shortened);
    CU_ASSERT_STRING_EQUAL(shortened, "[20, 24) + ");
}

static struct problem *make_problem(void)
{
    return sketch_problem("a:6%2 0-2 b:4 1-3 c:2@10 2-3");
}

/* Extents of a and of b, each ended by one without bytes; none: at offset 0 and 6. */
static void expect_verdict(const struct extent *a, const struct extent *b, enum verify_fault fault,
                           const char *sentence)
{
    SCOPED(problem_release) struct problem *problem = make_problem();
    SCOPED(plan_release) struct plan *plan = NULL;
    struct verdict sweep, pairwise;
    char text[256];
    must(plan_create(problem, &plan, &error));
    plan->offset[0] = 0;
    plan->offset[1] = 6;
    plan->offset[2] = 10;
    for (; a && a->bytes; a++)
        must(plan_add_extent(plan, 0, a->offset, a->bytes, &error));
    for (; b && b->bytes; b++)
        must(plan_add_extent(plan, 1, b->offset, b->bytes, &error));
    if (fault != VERIFY_OUT_OF_RANGE)
        must(plan_set_peak(plan, problem, &error));
    must(verify_plan(problem, plan, &sweep, &error));
    verify_plan_pairwise(problem, plan, &pairwise);
    CU_ASSERT_EQUAL(sweep.fault, fault);
    CU_ASSERT_EQUAL(pairwise.fault, fault);
    verify_describe(problem, plan, &sweep, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, sentence);
}

#define EXTENTS(...) ((const struct extent[]){__VA_ARGS__, {0, 0}})

static void test_verdicts(void)
{
    expect_verdict(NULL, NULL, VERIFY_VALID, "valid");
    expect_verdict(EXTENTS({4, 2}, {0, 4}), EXTENTS({6, 3}, {12, 1}), VERIFY_VALID, "valid");
    expect_verdict(NULL, EXTENTS({6, 3}, {12, 2}), VERIFY_WRONG_EXTENTS,
                   "buffer 'b' has 2 extents of 5 bytes together, expected 4 bytes, none empty "
                   "and the first at the buffer's offset");
    expect_verdict(NULL, EXTENTS({6, 1}, {12, 2}), VERIFY_WRONG_EXTENTS,
                   "buffer 'b' has 2 extents of 3 bytes together, expected 4 bytes, none empty "
                   "and the first at the buffer's offset");
    expect_verdict(NULL, EXTENTS({14, 2}, {13, 2}), VERIFY_SELF_OVERLAP,
                   "extents of buffer 'b' at [14, 16) + [13, 15) share bytes");
    expect_verdict(EXTENTS({0, 3}, {3, 3}), NULL, VERIFY_MISALIGNED,
                   "buffer 'a' is at 3, expected a multiple of 2");
    expect_verdict(EXTENTS({0, 3}, {8, 3}), NULL, VERIFY_OVERLAP,
                   "buffers 'a' at [0, 3) + [8, 11) and 'b' at [6, 10) share bytes at step 1");
    expect_verdict(NULL, EXTENTS({6, 3}, {11, 1}), VERIFY_OVERLAP,
                   "buffers 'b' at [6, 9) + [11, 12) and 'c' at [10, 12) share bytes at step 2");
    expect_verdict(NULL, EXTENTS({6, 3}, {UINT64_MAX, 1}), VERIFY_OUT_OF_RANGE,
                   "buffer 'b' of 4 bytes at 6 ends beyond 2^64 bytes");
}

static void test_offset_of_first_extent(void)
{
    SCOPED(problem_release) struct problem *problem = make_problem();
    SCOPED(plan_release) struct plan *plan = NULL;
    struct verdict verdict;
    must(plan_create(problem, &plan, &error));
    plan->offset[0] = 0;
    plan->offset[2] = 10;
    must(plan_add_extent(plan, 1, 6, 2, &error));
    must(plan_add_extent(plan, 1, 20, 2, &error));
    CU_ASSERT_EQUAL(plan->offset[1], 6);
    must(plan_set_peak(plan, problem, &error));
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, 22);
    must(verify_plan(problem, plan, &verdict, &error));
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
    plan->offset[1] = 7;
    must(verify_plan(problem, plan, &verdict, &error));
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_WRONG_EXTENTS);
    plan->offset[1] = 6;
    plan->measures.peak_bytes = 21;
    must(verify_plan(problem, plan, &verdict, &error));
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_WRONG_PEAK);
}

/* A fixed buffer may be told in extents if they go on where the one before ended. */
static void test_fixed(void)
{
    SCOPED(problem_release) struct problem *problem = make_problem();
    for (int apart = 0; apart < 2; apart++) {
        SCOPED(plan_release) struct plan *plan = NULL;
        struct verdict verdict;
        must(plan_create(problem, &plan, &error));
        plan->offset[0] = 0;
        plan->offset[1] = 6;
        must(plan_add_extent(plan, 2, 10, 1, &error));
        must(plan_add_extent(plan, 2, apart ? 12 : 11, 1, &error));
        must(plan_set_peak(plan, problem, &error));
        must(verify_plan(problem, plan, &verdict, &error));
        CU_ASSERT_EQUAL(verdict.fault, apart ? VERIFY_NOT_FIXED : VERIFY_VALID);
    }
}

enum { RANGE = 40, MOST_SIZE = 6 };

/* Where each byte of a buffer is, drawn one after another. */
static void draw_bytes(struct random_state *random, uint64_t size, uint64_t alignment,
                       uint64_t place[MOST_SIZE])
{
    for (uint64_t i = 0; i < size; i++)
        place[i] = i && random_below(random, 3)
                       ? place[i - 1] + 1
                       : random_below(random, RANGE / alignment) * alignment;
}

static void add_bytes(struct plan *plan, uint32_t buffer, uint64_t size, const uint64_t *place)
{
    uint64_t begin = 0;
    for (uint64_t i = 1; i <= size; i++) {
        if (i < size && place[i] == place[i - 1] + 1)
            continue;
        must(plan_add_extent(plan, buffer, place[begin], i - begin, &error));
        begin = i;
    }
}

/* Byte by byte and step by step. */
static bool is_valid(const struct problem *problem, uint64_t place[][MOST_SIZE])
{
    for (uint32_t step = 0; step < problem_steps(problem); step++) {
        bool used[RANGE + MOST_SIZE] = {false};
        for (uint32_t b = 0; b < problem->buffers; b++)
            for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
                for (uint64_t i = problem_window_lower(problem, s);
                     problem->lower[s] <= step && step < problem->upper[s] &&
                     i < problem_window_upper(problem, s);
                     i++) {
                    if (used[place[b][i]])
                        return false;
                    used[place[b][i]] = true;
                }
    }
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint64_t i = 0; i < problem->size[b]; i++)
            for (uint64_t j = 0; j < i; j++)
                if (place[b][i] == place[b][j])
                    return false;
    return true;
}

static void test_random_plans(void)
{
    static const struct random_problem kind = {.most_buffers = 5,
                                               .steps = 9,
                                               .most_size = MOST_SIZE,
                                               .holes = true,
                                               .windows = true,
                                               .alignment = true};
    unsigned valid = 0, invalid = 0;
    for (uint64_t seed = 0; seed < 10000; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kind, &random);
        uint64_t place[5][MOST_SIZE];
        struct verdict sweep, pairwise;
        SCOPED(plan_release) struct plan *plan = NULL;
        must(plan_create(problem, &plan, &error));
        for (uint32_t b = 0; b < problem->buffers; b++) {
            draw_bytes(&random, problem->size[b], problem_alignment(problem, b), place[b]);
            add_bytes(plan, b, problem->size[b], place[b]);
        }
        must(plan_set_peak(plan, problem, &error));
        must(verify_plan(problem, plan, &sweep, &error));
        verify_plan_pairwise(problem, plan, &pairwise);
        CU_ASSERT_EQUAL(sweep.fault, pairwise.fault);
        CU_ASSERT_EQUAL(sweep.fault == VERIFY_VALID, is_valid(problem, place));
        valid += sweep.fault == VERIFY_VALID;
        invalid += sweep.fault == VERIFY_OVERLAP;
    }
    CU_ASSERT(valid > 1000);
    CU_ASSERT(invalid > 1000);
}

/* x of 4 bytes is read by the first operator, y of 4 by the second; z of 6 by nobody. z may take
 * the bytes of x, not those of y. */
static void test_split_tensors(void)
{
    static const struct {
        struct extent first, second;
        enum verify_fault fault;
        const char *sentence;
        enum execute_place place;
    } rows[] = {
        {{8, 2}, {0, 4}, VERIFY_VALID, "valid", EXECUTE_PLACED},
        {{0, 4},
         {7, 2},
         VERIFY_OVERLAP,
         "tensors 'y' at [4, 8) and 'z' at [0, 4) + [7, 9) share bytes, and at step 1 one is "
         "written while the other is needed",
         EXECUTE_PLACED},
        {{0, 4},
         {8, 1},
         VERIFY_WRONG_EXTENTS,
         "the extents of tensor 'z' at [0, 4) + [8, 9) do not add up to its 6 bytes, from its "
         "offset on",
         EXECUTE_WRONG_EXTENTS},
        {{8, 3},
         {10, 3},
         VERIFY_SELF_OVERLAP,
         "extents of tensor 'z' at [8, 11) + [10, 13) share bytes",
         EXECUTE_SELF_OVERLAP},
        {{0, 4},
         {200, 2},
         VERIFY_WRONG_PEAK,
         "tensor 'z' ends at 202, expected at most the peak 106",
         EXECUTE_PLACED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SCOPED(sketch_free)
        struct sketch sketch = sketch_read("x:4 y:4 z:6", "x", "first: x > y; second: y > z", "z");
        struct verdict verdict;
        struct execution execution;
        const struct execute_options options = EXECUTE_DEFAULTS;
        char text[256];
        sketch_place(&sketch, "x@0 y@4 z@100");
        sketch_add_extent(sketch.placement, sketch_find(&sketch, "z"), rows[i].first);
        sketch_add_extent(sketch.placement, sketch_find(&sketch, "z"), rows[i].second);
        must(verify_paths(sketch.graph, sketch.placement, &verdict, &error));
        CU_ASSERT_EQUAL(verdict.fault, rows[i].fault);
        verify_paths_describe(sketch.graph, sketch.placement, &verdict, text, sizeof text);
        CU_ASSERT_STRING_EQUAL(text, rows[i].sentence);
        must(execute_placement(sketch.graph, sketch.placement, &options, &execution, &error));
        CU_ASSERT_EQUAL(execution.intact,
                        verdict.fault == VERIFY_VALID || verdict.fault == VERIFY_WRONG_PEAK);
        CU_ASSERT_EQUAL(execution.place, rows[i].place);
        if (execution.place)
            CU_ASSERT_EQUAL(execution.damaged, verdict.first);
    }
}

static enum status use_extents(const void *input, struct error *found)
{
    const struct problem *problem = input;
    SCOPED(plan_release) struct plan *plan = NULL;
    struct verdict verdict;
    TRY(plan_create(problem, &plan, found));
    plan->offset[0] = 0;
    plan->offset[2] = 10;
    TRY(plan_add_extent(plan, 1, 6, 2, found));
    TRY(plan_add_extent(plan, 1, 20, 2, found));
    TRY(plan_set_peak(plan, problem, found));
    return verify_plan(problem, plan, &verdict, found);
}

static void test_no_memory(void)
{
    SCOPED(problem_release) struct problem *problem = make_problem();
    fail_each(use_extents, problem);
}

static const struct test_case cases[] = {
    {"walks and their descriptions", test_walk},
    {"verdicts", test_verdicts},
    {"the offset is that of the first extent", test_offset_of_first_extent},
    {"fixed buffers", test_fixed},
    {"random plans, byte by byte", test_random_plans},
    {"split tensors", test_split_tensors},
    {"no memory", test_no_memory},
};

TESTING_MAIN("planning/extents", cases)
