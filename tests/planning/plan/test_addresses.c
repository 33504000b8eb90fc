#include "planning/plan/addresses.h"

#include "planning/sketch.h"
#include "support/must.h"
#include "support/testing.h"

static void expect_static(struct sketch *sketch, const char *offsets, bool expected)
{
    error = ERROR_NONE;
    bool are_static = !expected;
    sketch_place(sketch, offsets);
    must(addresses_are_static(sketch->graph, sketch->placement, &are_static, &error));
    CU_ASSERT_EQUAL(are_static, expected);
}

static void result_that_is_read(void)
{
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("x:4 t:2 e:4 r:4 y:1", "x",
                    "if: x > r {then(relu: x > t | t) else(pool: x > e | e)}; dense: r > y", "y");
    expect_static(&sketch, "x@0 t@4 e@8 y@0", false);
    expect_static(&sketch, "x@0 t@4 e@4 y@0", true);
    expect_static(&sketch, "x@0 t@4 e@8 r@12 y@0", true);
}

static void result_that_nobody_reads(void)
{
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("x:4 t:2 e:4 r:4 y:1", "x",
                    "if: x > r {then(relu: x > t | t) else(pool: x > e | e)}; dense: x > y", "y");
    expect_static(&sketch, "x@0 t@4 e@8 y@16", true);
}

static void result_that_is_the_output(void)
{
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read(
        "x:4 t:2 e:4 r:4", "x", "if: x > r {then(relu: x > t | t) else(pool: x > e | e)}", "r");
    expect_static(&sketch, "x@0 t@4 e@8", false);
}

static void external_result(void)
{
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("x:4 t:2 e:4 r:4! y:1", "x",
                    "if: x > r {then(relu: x > t | t) else(pool: x > e | e)}; dense: r > y", "y");
    expect_static(&sketch, "x@0 t@4 e@8 y@0", true);
}

/* The other branch hands the result on. */
static void result_that_is_handed_on(void)
{
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("x:4 t:4 e:4 r:4 a:4 s:4 y:1", "x",
                    "if: x > r {then(relu: x > t | t) else(pool: x > e | e)}; "
                    "again: x > s {make(conv: x > a | a) keep(| r)}; dense: s > y",
                    "y");
    expect_static(&sketch, "x@0 t@4 e@8 a@4 y@0", false);
    expect_static(&sketch, "x@0 t@4 e@4 a@4 y@0", true);
    expect_static(&sketch, "x@0 t@4 e@8 a@4 s@12 y@0", true);
}

static void loop_that_takes_a_result(void)
{
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read("x:4 t:4 e:4 r:4 c:4 n:4 last:4", "x",
                                       "if: x > r {then(relu: x > t | t) else(pool: x > e | e)}; "
                                       "while: x > last [r c n last] {body(step: c > n |)}",
                                       "last");
    expect_static(&sketch, "x@0 t@4 e@8 c@12 n@16", false);
    expect_static(&sketch, "x@0 t@4 e@4 c@12 n@16", true);
}

static const struct test_case cases[] = {
    {"a result that is read", result_that_is_read},
    {"a result that nobody reads", result_that_nobody_reads},
    {"a result that is the graph's output", result_that_is_the_output},
    {"an external result", external_result},
    {"a result that another If hands on", result_that_is_handed_on},
    {"a loop that starts from a result", loop_that_takes_a_result},
};

TESTING_MAIN("planning/addresses", cases)
