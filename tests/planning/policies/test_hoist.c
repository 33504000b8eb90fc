#include <stdio.h>

#include "planning/placing.h"
#include "planning/policies/policy.h"
#include "planning/random_graph.h"
#include "support/testing.h"

/* i is a buffer of 5 bytes in the then branch, in whose place s and q are; r one of 2 outside, of j
   and l. yes: p, 6 bytes. then: block@0 i@6, 11 bytes. else: k, 7 bytes. */
static void test_nested(void)
{
    struct sketch sketch = placing_nested();
    placing_place(&sketch, "hoist", 1);
    placing_expect_blocks(&sketch, "outer:11@4 inner:6@4");
    placing_expect_offsets(&sketch, "x@0 p@4 s@10 q@10 i@10 j@15 k@4 l@15 r@15 y@0");
    CU_ASSERT_EQUAL(sketch.placement->measures.peak_bytes, 17);
    CU_ASSERT_EQUAL(sketch.placement->measures.lower_bound_bytes, 17);
    CU_ASSERT_EQUAL(sketch.placement->measures.naive_bytes, 27);
    CU_ASSERT_EQUAL(sketch.placement->status, PLAN_OPTIMAL);
    placing_expect_safe(&sketch, true);
    sketch_free(&sketch);
}

/* All are in the place of r, and no block is left. */
static void test_three_deep(void)
{
    struct sketch sketch =
        sketch_read("x:2 a:3 b:4 c:5 i:1 j:1 r:1 y:2", "x",
                    "outer: x > r {then(middle: > j {left(inner: > i {yes(one: > a | a) "
                    "no(two: > b | b)} | i) right(three: > c | c)} | j) else(| x)}; "
                    "last: r > y",
                    "y");
    placing_place(&sketch, "hoist", 1);
    placing_expect_blocks(&sketch, "");
    placing_expect_offsets(&sketch, "x@0 a@2 b@2 c@2 i@2 j@2 r@2 y@0");
    CU_ASSERT_EQUAL(sketch.placement->measures.peak_bytes, 7);
    placing_expect_safe(&sketch, true);
    sketch_free(&sketch);
}

/* t is yielded twice and x comes from outside: both are copied, so they have places of their own
   until then. */
static void test_copies(void)
{
    struct sketch sketch = placing_copies("x:6 t:6 a:6 b:5 y:1");
    placing_place(&sketch, "hoist", 1);
    placing_expect_blocks(&sketch, "choose:6@6");
    placing_expect_offsets(&sketch, "x@0 t@6 a@12 b@18 y@0");
    placing_expect_safe(&sketch, true);
    sketch_free(&sketch);
}

static void test_external_result(void)
{
    struct sketch sketch = placing_external();
    placing_place(&sketch, "hoist", 1);
    placing_expect_blocks(&sketch, "choose:6@4");
    placing_expect_offsets(&sketch, "x@0 t@4 e@4 y@0");
    placing_expect_safe(&sketch, true);
    sketch_free(&sketch);
}

static void test_result_used_after_a_sibling(void)
{
    struct sketch sketch = placing_siblings();
    placing_place(&sketch, "hoist", 1);
    placing_expect_blocks(&sketch, "first:4@1 second:6@7");
    placing_expect_offsets(&sketch, "x@0 t@1 u@5 e@5 r@5 v@7 w@0 f@0 s@0 y@1");
    CU_ASSERT_EQUAL(sketch.placement->measures.peak_bytes, 13);
    placing_expect_safe(&sketch, true);
    sketch_free(&sketch);
}

/* The argument of a loop in a branch is in the place of the If's result; u is the body's. */
static void test_loop_in_branch(void)
{
    struct sketch sketch =
        sketch_read("i:2 g:2 c:1 u:4 v:2 l:2 r:2 y:3", "i",
                    "choose: > r {then(loop: > l [i g v l] {cond(test: g > c | c) body(work: "
                    "g > u; more: u > v |)} | l) else(| i)}; last: r > y",
                    "y");
    placing_place(&sketch, "hoist", 1);
    placing_expect_blocks(&sketch, "choose:7@2 loop:7@2");
    placing_expect_offsets(&sketch, "i@0 g@9 c@2 u@3 v@7 r@9 y@0");
    CU_ASSERT_EQUAL(sketch.placement->measures.peak_bytes, 11);
    placing_expect_safe(&sketch, true);
    sketch_free(&sketch);
}

/* w is in place of v, which nobody yields, so v's place is in the block. */
static void test_yield_in_place(void)
{
    struct sketch sketch =
        sketch_read("x:1 v:4 w:4 r:4 y:1", "x",
                    "choose: x > r {then(one: > v; two: v > w | w)}; last: r > y", "y");
    sketch.placement->overwrites[sketch_find(&sketch, "w")] = sketch_find(&sketch, "v");
    placing_place(&sketch, "hoist", 1);
    placing_expect_blocks(&sketch, "choose:4@1");
    placing_expect_offsets(&sketch, "x@0 v@1 w@1 r@5 y@0");
    placing_expect_safe(&sketch, true);
    sketch_free(&sketch);
}

static const struct test_case cases[] = {
    {"an If in an If", test_nested},
    {"three deep", test_three_deep},
    {"yields that are copied", test_copies},
    {"an external result", test_external_result},
    {"a result used after a sibling", test_result_used_after_a_sibling},
    {"a loop in a branch", test_loop_in_branch},
    {"a yield in place", test_yield_in_place},
};

TESTING_MAIN("planning/policy_hoist", cases)
