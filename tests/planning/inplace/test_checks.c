#include <stdio.h>

#include "core/memory.h"
#include "planning/execute/execute.h"
#include "planning/graph/build.h"
#include "planning/inplace/inplace.h"
#include "planning/liveness/liveness.h"
#include "planning/liveness/sharing.h"
#include "planning/lowering/level.h"
#include "planning/problem/bounds.h"
#include "planning/sketch.h"
#include "planning/verify/paths.h"
#include "support/testing.h"

/* Merges by hand, right and wrong ones: both checks have to tell them apart. And what a level makes
   of them. */

static struct error error;

/* "u<t v=u" as in test_inplace.c, now given by hand. */
static void merge_by_hand(struct sketch *sketch, const char *merges)
{
    struct placement *placement = sketch->placement;
    for (uint32_t t = 0; t < placement->tensors; t++) {
        placement->overwrites[t] = GRAPH_NONE;
        placement->is_view[t] = false;
    }
    for (const char *at = merges; *at; at += 4 - (at[3] == '\0')) {
        const char output[] = {at[0], '\0'}, input[] = {at[2], '\0'};
        uint32_t merged = sketch_find(sketch, output);
        placement->overwrites[merged] = sketch_find(sketch, input);
        placement->is_view[merged] = at[1] == '=';
    }
}

static bool check_both(const struct sketch *sketch)
{
    const struct execute_options options = EXECUTE_DEFAULTS;
    struct verdict verdict;
    struct execution execution;
    CU_ASSERT_EQUAL_FATAL(verify_paths(sketch->graph, sketch->placement, &verdict, &error),
                          STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(
        execute_placement(sketch->graph, sketch->placement, &options, &execution, &error),
        STATUS_OK);
    if ((verdict.fault == VERIFY_VALID) != execution.intact)
        printf("\nverify %s, execution %s\n", verify_fault_name(verdict.fault),
               execution.intact ? "intact" : "damaged");
    CU_ASSERT_EQUAL_FATAL(verdict.fault == VERIFY_VALID, execution.intact);
    return execution.intact;
}

static bool check_by_hand(struct sketch *sketch, const char *merges, const char *offsets)
{
    merge_by_hand(sketch, merges);
    sketch_place(sketch, offsets);
    return check_both(sketch);
}

#define EXPECT_FINE(sketch, merges, offsets)                                                       \
    CU_ASSERT_TRUE(check_by_hand(&(sketch), merges, offsets))
#define EXPECT_CAUGHT(sketch, merges, offsets)                                                     \
    CU_ASSERT_FALSE(check_by_hand(&(sketch), merges, offsets))

static void test_exactly_where_declared(void)
{
    struct sketch sketch = sketch_read("i:4! t:4 u:4 s:2 z:1", "",
                                       "make: i > t; relu: t > u; half: u > s; last: s > z", "z");
    EXPECT_FINE(sketch, "u<t s<u", "t@0 u@0 s@0 z@2");
    EXPECT_CAUGHT(sketch, "", "t@0 u@0 s@4 z@8");
    EXPECT_CAUGHT(sketch, "s<u", "t@0 u@0 s@4 z@8");
    EXPECT_CAUGHT(sketch, "u<t", "t@0 u@1 s@5 z@8");
    EXPECT_CAUGHT(sketch, "s<u", "t@0 u@4 s@5 z@8");
    EXPECT_FINE(sketch, "u<t", "t@0 u@4 s@0 z@4");
    EXPECT_CAUGHT(sketch, "s<t", "t@0 u@4 s@4 z@8");
    EXPECT_CAUGHT(sketch, "u<t z<s", "t@0 u@0 s@4 z@5");
    sketch_free(&sketch);
}

static void test_larger_output(void)
{
    struct sketch sketch =
        sketch_read("i:4! t:2 u:4 z:1", "", "make: i > t; grow: t > u; last: u > z", "z");
    EXPECT_CAUGHT(sketch, "u<t", "t@0 u@0 z@4");
    sketch_free(&sketch);
}

static void test_another_reader(void)
{
    struct sketch sketch = sketch_read(
        "i:4! t:4 u:4 w:4 z:1", "", "make: i > t; early: t > w; relu: t > u; late: u w > z", "z");
    EXPECT_FINE(sketch, "u<t", "t@0 w@4 u@0 z@8");
    EXPECT_CAUGHT(sketch, "w<t", "t@0 w@0 u@4 z@8");
    EXPECT_CAUGHT(sketch, "w<t u<t", "t@0 w@0 u@0 z@8");
    sketch_free(&sketch);
}

static void test_graph_output(void)
{
    struct sketch sketch = sketch_read("i:4! t:4 u:4", "", "make: i > t; relu: t > u", "u t");
    EXPECT_CAUGHT(sketch, "u<t", "t@0 u@0");
    EXPECT_FINE(sketch, "u=t", "t@0 u@0");
    sketch_free(&sketch);
}

static void test_read_twice(void)
{
    struct sketch sketch = sketch_read("i:4! t:4 u:4 v:4 w:4 z:1", "",
                                       "make: i > t v; square: t t > u; two: v > w z", "u w");
    EXPECT_CAUGHT(sketch, "u<t", "t@0 u@0 v@4 w@8 z@12");
    EXPECT_FINE(sketch, "w<v", "t@0 u@8 v@4 w@4 z@0");
    EXPECT_CAUGHT(sketch, "w<v z<v", "t@0 u@8 v@4 w@4 z@4");
    sketch_free(&sketch);
}

/* t is read in one branch after it was overwritten in the other, and after the If. */
static void test_branches(void)
{
    struct sketch sketch =
        sketch_read("i:4! t:4 a:4 b:4 e:4 r:4 z:4", "",
                    "make: i > t; "
                    "choose: i > r {then(relu: t > a; more: a > b | b) else(other: t > e | "
                    "e)}; last: r > z",
                    "z");
    EXPECT_FINE(sketch, "a<t b<a e<t", "t@0 a@0 b@0 e@0 z@4");
    EXPECT_CAUGHT(sketch, "a<t b<a", "t@0 a@0 b@0 e@0 z@4");
    sketch_free(&sketch);
    sketch = sketch_read("i:4! t:4 a:4 r:4 z:4", "",
                         "make: i > t; choose: i > r {then(relu: t > a | a) else(| t)}; "
                         "last: r t > z",
                         "z");
    EXPECT_CAUGHT(sketch, "a<t", "t@0 a@0 z@4");
    EXPECT_CAUGHT(sketch, "z<t a=t", "t@0 a@0 z@0");
    EXPECT_FINE(sketch, "a=t", "t@0 a@0 z@4");
    sketch_free(&sketch);
}

/* The next turn reads again what the body reads from outside; arguments are no different. */
static void test_loop(void)
{
    struct sketch sketch =
        sketch_read("i:4! k:4 t:4 q:4 a:4 b:4 y:4 r:4", "",
                    "make: i > t k; "
                    "loop: i > r [t q y r] {body(outer: k > a; inner: a > b; add: b q > y |)}",
                    "r");
    EXPECT_FINE(sketch, "b<a y<b", "t@12 k@4 q@8 a@0 b@0 y@0");
    EXPECT_CAUGHT(sketch, "a<k", "t@12 k@4 q@8 a@4 b@0 y@16");
    sketch_free(&sketch);
}

/* v is a view of t: the place is needed as long as either is. */
static void test_views(void)
{
    struct sketch sketch =
        sketch_read("i:4! t:4 v:4 w:4 u:4 y:4 z:1", "",
                    "make: i > t; reshape: t > v; again: v > w; relu: t > u; other: w > y; "
                    "last: u y > z",
                    "z");
    EXPECT_FINE(sketch, "v=t w=v", "t@0 v@0 w@0 u@4 y@8 z@0");
    EXPECT_FINE(sketch, "v=t w=v y<w", "t@0 v@0 w@0 u@4 y@0 z@8");
    EXPECT_CAUGHT(sketch, "v=t w=v u<t", "t@0 v@0 w@0 u@0 y@4 z@8");
    EXPECT_CAUGHT(sketch, "v=t w=v", "t@0 v@0 w@0 u@0 y@4 z@8");
    EXPECT_CAUGHT(sketch, "v=t w<v", "t@0 v@0 w@0 u@4 y@8 z@8");
    EXPECT_CAUGHT(sketch, "v<t w<v", "t@0 v@0 w@0 u@4 y@8 z@12");
    EXPECT_CAUGHT(sketch, "v=t", "t@0 v@2 w@8 u@12 y@16 z@20");
    EXPECT_FINE(sketch, "v=t", "t@0 v@4 w@8 u@4 y@0 z@8");
    sketch_free(&sketch);
}

static void test_view_and_what_it_views(void)
{
    struct sketch sketch =
        sketch_read("i:4! t:4 v:4 u:4", "", "make: i > t; reshape: t > v; add: t v > u", "u");
    EXPECT_FINE(sketch, "v=t", "t@0 v@0 u@4");
    EXPECT_CAUGHT(sketch, "v=t u<v", "t@0 v@0 u@0");
    EXPECT_CAUGHT(sketch, "v=t u<t", "t@0 v@0 u@0");
    sketch_free(&sketch);
}

static struct level *make_level(const struct sketch *sketch, struct liveness **liveness)
{
    struct level *level;
    CU_ASSERT_EQUAL_FATAL(
        liveness_create_shared(sketch->graph, sketch->placement, liveness, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(
        level_create_flat(&(struct level_source){sketch->graph, *liveness, 1}, &level, &error),
        STATUS_OK);
    return level;
}

/* t, u and v are one buffer, of which v needs less; w is beside it. */
static void test_one_buffer(void)
{
    struct liveness *liveness;
    struct sketch sketch =
        sketch_read("i:4! t:8 u:8 v:4 w:2 x:2 z:1", "",
                    "make: i > t; relu: t > u; wait: i > w; half: u > v; next: w > x; "
                    "last: v x > z",
                    "z");
    merge_by_hand(&sketch, "u<t v<u");
    struct level *level = make_level(&sketch, &liveness);
    const struct problem *problem = level->problem;
    uint64_t load_bytes;
    CU_ASSERT_EQUAL(problem->buffers, 4);
    CU_ASSERT_EQUAL(level->tensor[0], sketch_find(&sketch, "t"));
    CU_ASSERT_EQUAL_FATAL(problem->first[1], 2);
    CU_ASSERT_EQUAL(problem->lower[0], 0);
    CU_ASSERT_EQUAL(problem->upper[0], 4);
    CU_ASSERT_EQUAL(problem_window_upper(problem, 0), 8);
    CU_ASSERT_EQUAL(problem->lower[1], 4);
    CU_ASSERT_EQUAL(problem->upper[1], 6);
    CU_ASSERT_EQUAL(problem_window_upper(problem, 1), 4);
    CU_ASSERT_FALSE(liveness_has_place(liveness, sketch_find(&sketch, "v")));
    CU_ASSERT_EQUAL(problem_load(problem, &load_bytes, NULL, &error), STATUS_OK);
    CU_ASSERT_EQUAL(load_bytes, 10);
    sketch_place(&sketch, "t@0 w@8 x@4 z@6");
    CU_ASSERT_EQUAL(placement_share(sketch.graph, sketch.placement, &error), STATUS_OK);
    CU_ASSERT_EQUAL(sketch.placement->offset[sketch_find(&sketch, "v")], 0);
    CU_ASSERT_EQUAL(placement_in_place(sketch.placement), 2);
    level_free(level);
    liveness_free(liveness);
    sketch_free(&sketch);
}

static void add_extent(struct sketch *sketch, const char *tensor, uint64_t offset, uint64_t bytes)
{
    sketch_add_extent(sketch->placement, sketch_find(sketch, tensor),
                      (struct extent){offset, bytes});
}

static bool starts_on(const struct sketch *sketch, const char *output, const char *input)
{
    return placement_starts_on(sketch->placement, sketch->graph, sketch_find(sketch, output),
                               sketch_find(sketch, input));
}

/* What is written over a split tensor is split like it as far as it goes, which is not at all for
   w. */
static void test_split_places(void)
{
    struct sketch sketch = sketch_read("i:8! t:8 u:8 v:4 w:2 z:1", "",
                                       "make: i > t; relu: t > u; shrink: u > v; again: v > w; "
                                       "last: w > z",
                                       "z");
    merge_by_hand(&sketch, "u<t v<u w<v");
    sketch_place(&sketch, "t@20 z@30");
    add_extent(&sketch, "t", 20, 3);
    add_extent(&sketch, "t", 10, 5);
    CU_ASSERT_EQUAL(placement_share(sketch.graph, sketch.placement, &error), STATUS_OK);
    const struct extents *extents = sketch.placement->extents;
    uint32_t v = sketch_find(&sketch, "v");
    CU_ASSERT_EQUAL(extents_count(extents, sketch_find(&sketch, "u")), 2);
    CU_ASSERT_EQUAL_FATAL(extents_count(extents, v), 2);
    CU_ASSERT_EQUAL(extents->extent[extents->of[v].first].bytes, 3);
    CU_ASSERT_EQUAL(extents->extent[extents->of[v].first + 1].offset, 10);
    CU_ASSERT_EQUAL(extents->extent[extents->of[v].first + 1].bytes, 1);
    CU_ASSERT_EQUAL(extents_count(extents, sketch_find(&sketch, "w")), 0);
    CU_ASSERT(starts_on(&sketch, "w", "t"));
    CU_ASSERT_TRUE(check_both(&sketch));
    sketch.placement->extents->extent[extents->of[v].first + 1].offset = 11;
    CU_ASSERT_FALSE(starts_on(&sketch, "v", "u"));
    CU_ASSERT_FALSE(check_both(&sketch));
    sketch_free(&sketch);
}

static enum status share_all(struct sketch *sketch, const struct inplace_choice *choice)
{
    struct placement *placement;
    struct liveness *liveness = NULL;
    struct level *level = NULL;
    enum status status;
    TRY(placement_create(sketch->graph, &placement, &error));
    TRY_OR_DONE(status, inplace_apply(sketch->graph, choice, placement, &error));
    TRY_OR_DONE(status, liveness_create_shared(sketch->graph, placement, &liveness, &error));
    TRY_OR_DONE(status, level_create_flat(&(struct level_source){sketch->graph, liveness, 1},
                                          &level, &error));
    CU_ASSERT_EQUAL(level->problem->buffers, 2);
done:
    level_free(level);
    liveness_free(liveness);
    placement_free(placement);
    return status;
}

static void test_no_memory(void)
{
    static const uint32_t pair[] = {0, 0};
    const struct inplace_choice choice = {inplace_find("declared"), NULL};
    enum status status = STATUS_INTERNAL;
    uint64_t allowed = 0;
    struct sketch sketch =
        sketch_read("i:4! t:4 u:4 z:1", "", "make: i > t; relu: t > u; last: u > z", "z");
    sketch.graph->building = &(struct graph_building){.open_operator = 1};
    CU_ASSERT_EQUAL_FATAL(graph_operator_inplace(sketch.graph, pair, 1, &error), STATUS_OK);
    sketch.graph->building = NULL;
    uint64_t blocks = memory_live_blocks();
    while (status && allowed < 100) {
        memory_fail_after(allowed++);
        status = share_all(&sketch, &choice);
        CU_ASSERT_EQUAL(memory_live_blocks(), blocks);
    }
    memory_fail_after(UINT64_MAX);
    CU_ASSERT_EQUAL(status, STATUS_OK);
    CU_ASSERT(allowed > 15);
    sketch_free(&sketch);
}

static const struct test_case cases[] = {
    {"exactly where declared", test_exactly_where_declared},
    {"a larger output", test_larger_output},
    {"another reader", test_another_reader},
    {"an output of the graph", test_graph_output},
    {"read twice", test_read_twice},
    {"branches", test_branches},
    {"loop", test_loop},
    {"views", test_views},
    {"a view and what it views", test_view_and_what_it_views},
    {"one buffer of a level", test_one_buffer},
    {"split places", test_split_places},
    {"no memory", test_no_memory},
};

TESTING_MAIN("planning/inplace_checks", cases)
