#include <stdio.h>

#include "planning/execute/execute.h"
#include "planning/graph/build.h"
#include "planning/inplace/inplace.h"
#include "planning/liveness/liveness.h"
#include "planning/liveness/sharing.h"
#include "planning/lowering/level.h"
#include "planning/problem/bounds.h"
#include "planning/sketch.h"
#include "planning/verify/paths/paths.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

/* What levels, split places and checks make of merges by hand; more of these are in
   tests/planning/execute/test_breaks.c. */

static bool check_both(const struct sketch *sketch)
{
    const struct execute_options options = EXECUTE_DEFAULTS;
    struct verdict verdict;
    struct execution execution;
    must(verify_paths(sketch->graph, sketch->placement, &verdict, &error));
    must(execute_placement(sketch->graph, sketch->placement, &options, &execution, &error));
    if ((verdict.fault == VERIFY_VALID) != execution.intact)
        printf("\nverify %s, execution %s\n", verify_fault_name(verdict.fault),
               execution.intact ? "intact" : "damaged");
    CU_ASSERT_EQUAL_FATAL(verdict.fault == VERIFY_VALID, execution.intact);
    return execution.intact;
}

/* t, u and v are one buffer, of which v needs less; w is beside it. */
static void test_one_buffer(void)
{
    SCOPED(liveness_release) struct liveness *liveness = NULL;
    struct sketch sketch = sketch_read(
        "i:4! t:8 u:8 v:4 w:2 x:2 z:1", "",
        "make: i > t; relu: t > u; wait: i > w; half: u > v; next: w > x; last: v x > z", "z");
    sketch_merge(&sketch, "u<t v<u");
    SCOPED(level_release) struct level *level = NULL;
    must(liveness_create_shared(sketch.graph, sketch.placement, &liveness, &error));
    must(level_create_flat(&(struct level_source){sketch.graph, liveness, 1}, &level, &error));
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
    must(problem_load(problem, &load_bytes, NULL, &error));
    CU_ASSERT_EQUAL(load_bytes, 10);
    sketch_place(&sketch, "t@0 w@8 x@4 z@6");
    must(placement_share(sketch.graph, sketch.placement, &error));
    CU_ASSERT_EQUAL(sketch.placement->offset[sketch_find(&sketch, "v")], 0);
    CU_ASSERT_EQUAL(placement_in_place(sketch.placement), 2);
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
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("i:8! t:8 u:8 v:4 w:2 z:1", "",
                    "make: i > t; relu: t > u; shrink: u > v; again: v > w; last: w > z", "z");
    sketch_merge(&sketch, "u<t v<u w<v");
    sketch_place(&sketch, "t@20 z@30");
    add_extent(&sketch, "t", 20, 3);
    add_extent(&sketch, "t", 10, 5);
    must(placement_share(sketch.graph, sketch.placement, &error));
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
}

static enum status share_all(const void *input, struct error *failure)
{
    const struct graph *graph = input;
    const struct inplace_choice choice = {inplace_find("declared"), NULL};
    SCOPED(placement_release) struct placement *placement = NULL;
    SCOPED(liveness_release) struct liveness *liveness = NULL;
    SCOPED(level_release) struct level *level = NULL;
    TRY(placement_create(graph, &placement, failure));
    TRY(inplace_apply(graph, &choice, placement, failure));
    TRY(liveness_create_shared(graph, placement, &liveness, failure));
    TRY(level_create_flat(&(struct level_source){graph, liveness, 1}, &level, failure));
    CU_ASSERT_EQUAL(level->problem->buffers, 2);
    return STATUS_OK;
}

static void test_no_memory(void)
{
    static const uint32_t pair[] = {0, 0};
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("i:4! t:4 u:4 z:1", "", "make: i > t; relu: t > u; last: u > z", "z");
    sketch.graph->building = &(struct graph_building){.open_operator = 1};
    must(graph_operator_inplace(sketch.graph, pair, 1, &error));
    sketch.graph->building = NULL;
    fail_each(share_all, sketch.graph);
}

static const struct test_case cases[] = {

    {"one buffer of a level", test_one_buffer},
    {"split places", test_split_places},
    {"no memory", test_no_memory},
};

TESTING_MAIN("planning/inplace_checks", cases)
