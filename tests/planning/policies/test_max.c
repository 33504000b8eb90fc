#include "planning/placing.h"
#include "planning/policies/policy.h"
#include "support/testing.h"

/* As under recursive, but j may lie over what the inner If leaves, so that q is lost. */
static void test_nested(void)
{
    struct sketch sketch = placing_nested();
    placing_place(&sketch, "max", 1);
    placing_expect_blocks(&sketch, "outer:9@4 inner:9@4");
    placing_expect_offsets(&sketch, "x@0 p@4 s@10 q@4 j@4 k@4 l@11 y@0");
    CU_ASSERT_EQUAL(sketch.placement->measures.peak_bytes, 13);
    placing_expect_safe(&sketch, false);
    sketch_free(&sketch);
}

/* The second If is over what the first one left, which is read after it. */
static void test_result_used_after_a_sibling(void)
{
    struct sketch sketch = placing_siblings();
    placing_place(&sketch, "max", 1);
    placing_expect_blocks(&sketch, "first:6@1 second:7@0");
    placing_expect_offsets(&sketch, "x@0 t@1 u@5 e@1 v@0 w@6 f@0 y@0");
    placing_expect_safe(&sketch, false);
    sketch_free(&sketch);
}

/* Where nothing is read later than at the leaving, nothing is lost. */
static void test_external_result(void)
{
    struct sketch sketch = placing_external();
    placing_place(&sketch, "max", 1);
    placing_expect_offsets(&sketch, "x@0 t@4 e@4 y@0");
    placing_expect_safe(&sketch, true);
    sketch_free(&sketch);
}

static void test_is_marked(void)
{
    for (uint32_t q = 0; q < policy_count(); q++)
        CU_ASSERT_EQUAL((policy_at(q)->flags & POLICY_UNSAFE) != 0,
                        policy_at(q) == &policy_max || policy_at(q) == &policy_launch_order);
}

static const struct test_case cases[] = {
    {"an If in an If", test_nested},
    {"a result used after a sibling", test_result_used_after_a_sibling},
    {"an external result", test_external_result},
    {"no other is unsafe", test_is_marked},
};

TESTING_MAIN("planning/policy_max", cases)
