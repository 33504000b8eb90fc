#include <stdio.h>
#include <string.h>

#include "planning/execute/execute.h"
#include "planning/sketch.h"
#include "planning/verify/describe.h"
#include "planning/verify/paths.h"
#include "support/fail_each.h"
#include "support/testing.h"

/* Placements by hand, each of which keeps or breaks one rule: both checks have to see it. */

static struct error error;

/* "y<a b<i": y is meant to be written over a, b over i. */
static void declare(struct sketch *sketch, const char *merges)
{
    char output[32], input[32];
    int length;
    for (uint32_t t = 0; t < sketch->placement->tensors; t++)
        sketch->placement->overwrites[t] = GRAPH_NONE;
    for (; sscanf(merges, " %31[^<]<%31s%n", output, input, &length) == 2; merges += length)
        sketch->placement->overwrites[sketch_find(sketch, output)] = sketch_find(sketch, input);
}

static bool is_fine(struct sketch *sketch, const char *merges, const char *offsets)
{
    const struct execute_options options = EXECUTE_DEFAULTS;
    struct verdict verdict;
    struct execution execution;
    char text[512];
    declare(sketch, merges);
    sketch_place(sketch, offsets);
    CU_ASSERT_EQUAL_FATAL(verify_paths(sketch->graph, sketch->placement, &verdict, &error),
                          STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(
        execute_placement(sketch->graph, sketch->placement, &options, &execution, &error),
        STATUS_OK);
    if ((verdict.fault == VERIFY_VALID) != execution.intact) {
        verify_paths_describe(sketch->graph, sketch->placement, &verdict, text, sizeof text);
        printf("\n%s, %s: %s, execution %s\n", merges, offsets, text,
               execution.intact ? "intact" : "damaged");
    }
    CU_ASSERT_EQUAL(verdict.fault == VERIFY_VALID, execution.intact);
    return execution.intact;
}

#define EXPECT_FINE(sketch, merges, offsets) CU_ASSERT_TRUE(is_fine(&(sketch), merges, offsets))
#define EXPECT_CAUGHT(sketch, merges, offsets) CU_ASSERT_FALSE(is_fine(&(sketch), merges, offsets))

static struct sketch sketch_choice(void)
{
    struct sketch sketch =
        sketch_read("x:4 t:4 e:4 r:4 v:4 out:4", "x",
                    "if: x > r {then(then: x > t | t) else(else: x > e | e)}; later: x > v; "
                    "last: r v > out",
                    "out");
    return sketch;
}

/* The block of policy max: [4, 8) lives at the If only, so v may come to lie there. */
static void test_result_escapes(void)
{
    struct sketch sketch = sketch_choice();
    EXPECT_CAUGHT(sketch, "", "x@0 t@4 e@4 v@4 out@8");
    EXPECT_FINE(sketch, "", "x@0 t@4 e@4 v@8 out@12");
    sketch_free(&sketch);
}

static void test_place_of_result(void)
{
    struct sketch sketch = sketch_choice();
    EXPECT_FINE(sketch, "", "x@0 t@4 e@4 r@4 v@8 out@12");
    EXPECT_FINE(sketch, "", "x@0 t@8 e@4 r@4 v@8 out@12");
    EXPECT_FINE(sketch, "", "x@0 t@6 e@4 r@4 v@10 out@14");
    EXPECT_CAUGHT(sketch, "", "x@0 t@4 e@4 r@4 v@4 out@12");
    EXPECT_CAUGHT(sketch, "", "x@0 t@4 e@8 r@4 v@6 out@12");
    EXPECT_CAUGHT(sketch, "", "x@0 t@4 e@8 r@0 v@12 out@16");
    sketch_free(&sketch);
}

/* What else yields more than the result has keeps v away, on every path. */
static void test_bytes_of_result(void)
{
    struct sketch sketch =
        sketch_read("x:4 t:2 e:8 r:4 v:4", "x",
                    "if: x > r {then(then: x > t | t) else(else: x > e | e)}; later: x > v", "r v");
    EXPECT_FINE(sketch, "", "x@0 t@4 e@4 r@4 v@12");
    EXPECT_CAUGHT(sketch, "", "x@0 t@4 e@4 r@4 v@8");
    sketch_free(&sketch);
}

/* Each branch yields two values: copying one must leave the other. */
static struct sketch sketch_two_results(void)
{
    struct sketch sketch =
        sketch_read("x:4 a:4 b:4 c:4 d:4 r:4 s:4", "x",
                    "if: x > r s {then(first: x > a b | a b) else(second: x > c d | c d)}", "r s");
    return sketch;
}

static void test_copies_at_once(void)
{
    struct sketch sketch = sketch_two_results();
    EXPECT_FINE(sketch, "", "x@0 a@8 b@12 c@8 d@12 r@8 s@12");
    EXPECT_FINE(sketch, "", "x@0 a@16 b@20 c@8 d@20 r@8 s@12");
    EXPECT_CAUGHT(sketch, "", "x@0 a@12 b@8 c@8 d@12 r@8 s@12");
    EXPECT_CAUGHT(sketch, "", "x@0 a@12 b@20 c@8 d@12 r@8 s@12");
    EXPECT_CAUGHT(sketch, "", "x@0 a@8 b@12 c@8 d@12 r@8 s@10");
    sketch_free(&sketch);
}

/* Where inner went to `a`, r is p already and nothing is moved over q2; where it went to `b`, p2 is
   moved there, and q is not. */
static struct sketch sketch_two_choices(void)
{
    struct sketch sketch =
        sketch_read("x:4 p:4 q:4 u:8 v:4 k:4 l:4 r:4 s:4", "x",
                    "inner: x > k l {a(first: > p q | p q) b(second: > u v | u v)}; "
                    "outer: x > r s {only(| k l)}",
                    "r s");
    return sketch;
}

static void test_copies_follow_the_path(void)
{
    struct sketch sketch = sketch_two_choices();
    EXPECT_FINE(sketch, "", "x@0 p@4 q@8 u@16 v@24 r@4 s@28");
    EXPECT_CAUGHT(sketch, "", "x@0 p@4 q@8 u@16 v@8 r@4 s@28");
    EXPECT_CAUGHT(sketch, "", "x@0 p@32 q@6 u@16 v@24 r@4 s@28");
    sketch_free(&sketch);
}

/* z is read in `then` after it was there to be overwritten, and never in `else`. */
static void test_outer_tensor_in_branch(void)
{
    struct sketch sketch =
        sketch_read("x:4 z:4 t:4 t2:4 e:4 e2:4 r:4", "x",
                    "make: x > z; "
                    "if: x > r {then(t_first: x > t; t_second: t z > t2 | t2) else(e_first: "
                    "x > e; e_second: e > e2 | e2)}",
                    "r");
    EXPECT_FINE(sketch, "", "x@0 z@4 t@8 t2@0 e@4 e2@0");
    EXPECT_CAUGHT(sketch, "", "x@0 z@4 t@4 t2@0 e@8 e2@0");
    EXPECT_FINE(sketch, "t2<z", "x@0 z@4 t@8 t2@4 e@4 e2@0");
    EXPECT_CAUGHT(sketch, "", "x@0 z@4 t@8 t2@4 e@4 e2@0");
    sketch_free(&sketch);
}

/* An input that is read once more after the If must not be written over in a branch. */
static void test_unsafe_in_place(void)
{
    struct sketch sketch = sketch_read("x:4 z:4 t:4 r:4 out:4", "x",
                                       "make: x > z; if: x > r {then(then: z > t | t) else(| x)}; "
                                       "last: r z > out",
                                       "out");
    EXPECT_CAUGHT(sketch, "t<z", "x@0 z@4 t@4 out@8");
    EXPECT_FINE(sketch, "t<z", "x@0 z@4 t@8 out@12");
    sketch_free(&sketch);
}

/* The next turn reads x again, so nothing in the body may be written there, nor over it. */
static struct sketch sketch_turns(void)
{
    struct sketch sketch = sketch_read(
        "x:4 i:4 a:4 t:4 y:4 r:4 out:4", "x i",
        "loop: > r [i a y r] {body(use: x a > t; next: t > y |)}; last: r > out", "out");
    return sketch;
}

static void test_outer_tensor_in_loop(void)
{
    struct sketch sketch = sketch_turns();
    EXPECT_FINE(sketch, "", "x@0 i@4 a@8 t@12 y@4 out@0");
    EXPECT_CAUGHT(sketch, "", "x@0 i@4 a@8 t@12 y@0 out@0");
    EXPECT_CAUGHT(sketch, "t<x", "x@0 i@4 a@8 t@0 y@4 out@0");
    sketch_free(&sketch);
}

static void test_carried_values(void)
{
    struct sketch sketch = sketch_turns();
    EXPECT_FINE(sketch, "y<a", "x@0 i@4 a@8 t@12 y@8 out@0");
    EXPECT_FINE(sketch, "a<i", "x@0 i@4 a@4 t@12 y@8 out@0");
    EXPECT_FINE(sketch, "a<i y<a", "x@0 i@4 a@4 t@12 y@4 out@0");
    EXPECT_FINE(sketch, "t<a y<t", "x@0 i@4 a@8 t@8 y@12 out@0");
    EXPECT_FINE(sketch, "", "x@0 i@4 a@4 t@12 y@8 out@0");
    EXPECT_FINE(sketch, "", "x@0 i@4 a@6 t@12 y@7 out@0");
    EXPECT_CAUGHT(sketch, "", "x@0 i@4 a@8 t@8 y@12 out@0");
    EXPECT_CAUGHT(sketch, "", "x@0 i@4 a@8 t@12 y@12 out@0");
    sketch_free(&sketch);
}

/* i is read in every turn, and after the loop; only b, which changes, has to leave it. */
static void test_value_that_never_changes(void)
{
    struct sketch sketch = sketch_read(
        "i:4 a:4 b:4 y:4 r:4 s:4 out:4", "i",
        "loop: > r s [i a a r i b y s] {body(use: a b i > y |)}; last: i r s > out", "out");
    EXPECT_FINE(sketch, "", "i@0 a@0 b@4 y@8 out@12");
    EXPECT_FINE(sketch, "", "i@0 a@12 b@4 y@8 out@16");
    EXPECT_CAUGHT(sketch, "", "i@0 a@4 b@0 y@8 out@12");
    EXPECT_CAUGHT(sketch, "", "i@0 a@0 b@0 y@8 out@12");
    EXPECT_CAUGHT(sketch, "", "i@0 a@2 b@8 y@12 out@16");
    sketch_free(&sketch);
}

/* Two arguments start from one value: both stay on it where nothing ever changes. */
static void test_exchange_of_what_never_changes(void)
{
    struct sketch sketch =
        sketch_read("i:4 a:4 b:4 r:4 s:4 t:4", "i",
                    "loop: > r s [i a b r i b a s] {body(use: a b > t |)}", "r s i");
    EXPECT_FINE(sketch, "", "i@0 a@0 b@0 t@4");
    EXPECT_FINE(sketch, "", "i@0 a@4 b@8 t@12");
    EXPECT_CAUGHT(sketch, "", "i@0 a@0 b@4 t@8");
    EXPECT_CAUGHT(sketch, "", "i@0 a@4 b@4 t@8");
    sketch_free(&sketch);
}

/* Once first has read the argument, it may be lost until the turn ends; what the turn yields is
   moved then, and must not be under another argument. */
static void test_argument_that_is_read_no_more(void)
{
    struct sketch sketch =
        sketch_read("i:4 a:4 t:4 u:4 y:4 r:4", "i",
                    "loop: > r [i a y r] {body(first: a > t; second: t > u; third: u > y |)}", "r");
    EXPECT_FINE(sketch, "", "i@0 a@0 t@4 u@0 y@4");
    EXPECT_FINE(sketch, "", "i@0 a@0 t@4 u@8 y@2");
    EXPECT_CAUGHT(sketch, "", "i@0 a@0 t@2 u@6 y@10");
    sketch_free(&sketch);
}

/* A turn that hands its argument on, in one branch, needs it to its end. */
static void test_argument_handed_on(void)
{
    struct sketch sketch =
        sketch_read("i:4 a:4 t:4 e:4 q:4 r:4", "i",
                    "loop: > r [i a q r] {body(first: a > t; if: > q {then(| a) else(make: t > e "
                    "| e)} |)}",
                    "r");
    EXPECT_FINE(sketch, "", "i@0 a@0 t@4 e@0 q@0");
    EXPECT_FINE(sketch, "", "i@0 a@0 t@4 e@8 q@4");
    EXPECT_CAUGHT(sketch, "", "i@0 a@0 t@0 e@8 q@4");
    EXPECT_CAUGHT(sketch, "", "i@0 a@0 t@4 e@4 q@0");
    sketch_free(&sketch);
}

/* first has made y when second still reads the argument; i is an output of the graph. */
static void test_carried_value_still_needed(void)
{
    struct sketch sketch =
        sketch_read("x:4 i:4 a:4 t:4 y:4 r:4", "x i",
                    "loop: > r [i a y r] {body(first: x > y; second: a > t |)}", "r i");
    EXPECT_FINE(sketch, "", "x@0 i@4 a@8 y@12 t@16");
    EXPECT_CAUGHT(sketch, "y<a", "x@0 i@4 a@8 y@8 t@16");
    EXPECT_CAUGHT(sketch, "a<i", "x@0 i@4 a@4 y@12 t@16");
    sketch_free(&sketch);
}

/* Two arguments: a yield in the other one's place is gone when that one is moved. */
static void test_place_of_another_argument(void)
{
    struct sketch sketch =
        sketch_read("i:4 j:4 a:4 b:4 y:4 z:4 r:4 s:4", "i j",
                    "loop: > r s [i a y r j b z s] {body(next: a b > y z |)}", "r s");
    EXPECT_FINE(sketch, "y<a z<b", "i@0 j@4 a@8 b@12 y@8 z@12");
    EXPECT_CAUGHT(sketch, "y<b z<a", "i@0 j@4 a@8 b@12 y@12 z@8");
    EXPECT_CAUGHT(sketch, "y<b", "i@0 j@4 a@8 b@12 y@12 z@16");
    sketch_free(&sketch);
}

/* The body's last If writes straight into the argument, which both branches have read. */
static void test_result_in_argument(void)
{
    struct sketch sketch =
        sketch_read("i:4 a:4 t:4 e:4 q:4 r:4", "i",
                    "loop: > r [i a q r] {body(if: > q {then(t_first: a > t | t) else(else: "
                    "> e | e)} |)}",
                    "r");
    EXPECT_FINE(sketch, "q<a t<a e<a", "i@0 a@4 t@4 e@4 q@4");
    EXPECT_FINE(sketch, "q<a", "i@0 a@4 t@8 e@4 q@4");
    EXPECT_FINE(sketch, "q<a", "i@0 a@4 t@8 e@8 q@4");
    EXPECT_CAUGHT(sketch, "q<a", "i@0 a@4 t@6 e@8 q@4");
    sketch_free(&sketch);
}

static enum status verify_sketch(const void *input, struct error *failure)
{
    const struct sketch *sketch = input;
    struct verdict verdict;
    return verify_paths(sketch->graph, sketch->placement, &verdict, failure);
}

static enum status execute_sketch(const void *input, struct error *failure)
{
    const struct sketch *sketch = input;
    const struct execute_options options = EXECUTE_DEFAULTS;
    struct execution execution;
    return execute_placement(sketch->graph, sketch->placement, &options, &execution, failure);
}

/* v lies where k is needed, so that copies are traced back. */
static void test_no_memory(void)
{
    struct sketch sketch = sketch_two_choices();
    sketch_place(&sketch, "x@0 p@4 q@8 u@16 v@4 r@4 s@28");
    fail_each(verify_sketch, &sketch);
    fail_each(execute_sketch, &sketch);
    sketch_free(&sketch);
}

static const struct test_case cases[] = {
    {"a result escapes its block", test_result_escapes},
    {"place of a result", test_place_of_result},
    {"bytes of a result", test_bytes_of_result},
    {"copies at once", test_copies_at_once},
    {"copies follow the path", test_copies_follow_the_path},
    {"outer tensor in a branch", test_outer_tensor_in_branch},
    {"in place where it is read again", test_unsafe_in_place},
    {"outer tensor in a loop", test_outer_tensor_in_loop},
    {"carried values in place", test_carried_values},
    {"a carried value that never changes", test_value_that_never_changes},
    {"exchange of what never changes", test_exchange_of_what_never_changes},
    {"an argument that is read no more", test_argument_that_is_read_no_more},
    {"an argument handed on in one branch", test_argument_handed_on},
    {"carried value still needed", test_carried_value_still_needed},
    {"place of another argument", test_place_of_another_argument},
    {"result in an argument's place", test_result_in_argument},
    {"no memory", test_no_memory},
};

TESTING_MAIN("planning/execute_breaks", cases)
