#include "planning/placing.h"
#include "planning/policies/policy.h"
#include "support/testing.h"

/* yes: p@0 s@6, 9 bytes, then no: q, so that the inner block has 14. then: block@0 j@14, 16 bytes,
   then else: k@0 l@7. */
static void test_nested(void)
{
    struct sketch sketch = placing_nested();
    placing_place(&sketch, "sum", 1);
    placing_expect_blocks(&sketch, "outer:24@4 inner:14@4");
    placing_expect_offsets(&sketch, "x@0 p@4 s@10 q@13 j@18 k@20 l@27 y@0");
    CU_ASSERT_EQUAL(sketch.placement->measures.peak_bytes, 28);
    CU_ASSERT_EQUAL(sketch.placement->measures.load_bytes, 28);
    CU_ASSERT_EQUAL(sketch.placement->measures.lower_bound_bytes, 28);
    CU_ASSERT_EQUAL(sketch.placement->measures.naive_bytes, 31);
    CU_ASSERT_EQUAL(sketch.placement->status, PLAN_OPTIMAL);
    placing_expect_safe(&sketch, true);
    sketch_free(&sketch);
}

static struct sketch sketch_switch(void)
{
    struct sketch sketch =
        sketch_read("x:1 a:2 b:3 c:4 r:4 y:1", "x",
                    "switch: x > r {zero(first: > a | a) one(second: > b | b) two(third: > c "
                    "| c)}; last: r > y",
                    "y");
    return sketch;
}

static void test_switch(void)
{
    struct sketch sketch = sketch_switch();
    placing_place(&sketch, "sum", 1);
    placing_expect_blocks(&sketch, "switch:9@1");
    placing_expect_offsets(&sketch, "x@0 a@1 b@3 c@6 y@0");
    sketch_free(&sketch);
}

/* Every region begins at a multiple of the alignment. */
static void test_alignment(void)
{
    struct sketch sketch = sketch_switch();
    placing_place(&sketch, "sum", 4);
    placing_expect_blocks(&sketch, "switch:12@4");
    placing_expect_offsets(&sketch, "x@0 a@4 b@8 c@12 y@0");
    CU_ASSERT_EQUAL(sketch.placement->measures.peak_bytes, 16);
    CU_ASSERT_EQUAL(sketch.placement->measures.lower_bound_bytes, 13);
    sketch_free(&sketch);
}

static void test_empty_and_captured(void)
{
    struct sketch sketch = placing_copies("x:6 t:4 a:6 b:6 y:1");
    placing_place(&sketch, "sum", 1);
    placing_expect_blocks(&sketch, "choose:4@6");
    placing_expect_offsets(&sketch, "x@0 t@6 y@10");
    placing_expect_safe(&sketch, true);
    sketch_free(&sketch);
}

static const struct test_case cases[] = {
    {"an If in an If", test_nested},
    {"three branches", test_switch},
    {"alignment", test_alignment},
    {"an empty branch and a captured yield", test_empty_and_captured},
};

TESTING_MAIN("planning/policy_sum", cases)
