#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planning/liveness/liveness.h"
#include "planning/sketch.h"
#include "support/testing.h"

static struct error error;

static struct liveness *create_liveness(const struct sketch *sketch)
{
    struct liveness *liveness;
    CU_ASSERT_EQUAL_FATAL(liveness_create(sketch->graph, &liveness, &error), STATUS_OK);
    return liveness;
}

/* Lifetimes of all tensors that have a place, in the order of the sketch: " x=[0,2) t=[2,6)". */
static void expect_lifetimes(const struct sketch *sketch, const struct liveness *liveness,
                             const char *expected)
{
    char found[512] = "";
    for (uint32_t t = 0; t < sketch->graph->tensors; t++) {
        size_t used = strlen(found);
        if (liveness_has_place(liveness, t))
            snprintf(found + used, sizeof found - used, " %s=[%u,%u)",
                     names_get(&sketch->graph->tensor_names, t), liveness->lower[t],
                     liveness->upper[t]);
    }
    if (strcmp(found, expected) != 0)
        printf("\nfound:   %s\nexpected:%s\n", found, expected);
    CU_ASSERT_STRING_EQUAL(found, expected);
}

/* Finishes the sketch, compares and frees it. */
static void expect(struct sketch *sketch, const char *outputs, uint32_t steps,
                   const char *lifetimes)
{
    sketch_finish(sketch, outputs);
    struct liveness *liveness = create_liveness(sketch);
    CU_ASSERT_EQUAL(liveness->steps, steps);
    expect_lifetimes(sketch, liveness, lifetimes);
    liveness_free(liveness);
    sketch_free(sketch);
}

static void test_chain(void)
{
    struct sketch sketch =
        sketch_begin("x:1 a:1 b:1 y:1", "x", "one: x > a; two: a > b; three: b > y");
    expect(&sketch, "y", 3, " x=[0,1) a=[0,2) b=[1,3) y=[2,3)");
}

/* Inputs are live from the start, outputs to the end, and what nobody reads for one step. */
static void test_ends(void)
{
    struct sketch sketch = sketch_begin("x:1 late:1 unread:1 a:1 lost:1 y:1 z:1", "x late unread",
                                        "one: x > a y; two: a > lost; three: late > z");
    expect(&sketch, "y", 3, " x=[0,1) late=[0,3) unread=[0,1) a=[0,2) lost=[1,2) y=[0,3) z=[2,3)");
}

static void test_input_that_is_output(void)
{
    struct sketch sketch = sketch_begin("x:1 a:1 b:1", "x", "one: x > a; two: a > b");
    expect(&sketch, "x", 2, " x=[0,2) a=[0,2) b=[1,2)");
}

static void test_external_tensors(void)
{
    struct sketch sketch = sketch_begin("x:1! w:1! a:1 y:1!", "x", "one: x w > a; two: a w > y");
    expect(&sketch, "y", 2, " a=[0,2)");
}

static void test_no_operators(void)
{
    struct sketch sketch = sketch_begin("x:1", "x", "%s", "");
    expect(&sketch, "x", 1, " x=[0,1)");
}

/* conv; if { then: relu -> t } { else: pool -> e } -> r; dense reads r. */
static struct sketch sketch_header(const char *tensors)
{
    struct sketch sketch =
        sketch_begin(tensors, "x",
                     "conv: x > c; if: c > r {then(relu: c > t | t) else(pool: c > e | e)}; "
                     "dense: r > y");
    return sketch;
}

/* The picture in the header; c is captured by both branches. */
static void test_if(void)
{
    struct sketch sketch = sketch_header("x:1 c:1 t:1 e:1 r:1 y:1");
    expect(&sketch, "y", 6, " x=[0,1) c=[0,4) t=[2,6) e=[3,6) y=[5,6)");
}

static void test_steps_of_if(void)
{
    struct sketch sketch = sketch_header("x:1 c:1 t:1 e:1 r:1 y:1");
    sketch_finish(&sketch, "y");
    struct liveness *liveness = create_liveness(&sketch);
    static const uint32_t enter[] = {0, 1, 2, 3, 5}, leave[] = {0, 4, 2, 3, 5};
    for (uint32_t o = 0; o < 5; o++) {
        CU_ASSERT_EQUAL(liveness->enter_step[o], enter[o]);
        CU_ASSERT_EQUAL(liveness->leave_step[o], leave[o]);
    }
    CU_ASSERT_EQUAL(liveness->block_upper[1], 6);
    static const uint32_t begin[] = {0, 2, 3}, end[] = {6, 3, 4};
    for (uint32_t r = 0; r < 3; r++) {
        CU_ASSERT_EQUAL(liveness->region_begin[r], begin[r]);
        CU_ASSERT_EQUAL(liveness->region_end[r], end[r]);
    }
    liveness_free(liveness);
    liveness_free(NULL);
    sketch_free(&sketch);
}

/* An external result is copied away when the If is left, step 4. */
static void test_external_result(void)
{
    struct sketch sketch = sketch_header("x:1 c:1 t:1 e:1 r:1! y:1");
    sketch_finish(&sketch, "y");
    struct liveness *liveness = create_liveness(&sketch);
    expect_lifetimes(&sketch, liveness, " x=[0,1) c=[0,4) t=[2,5) e=[3,5) y=[5,6)");
    CU_ASSERT_EQUAL(liveness->block_upper[1], 5);
    liveness_free(liveness);
    sketch_free(&sketch);
}

/* A result that nobody reads still appears when the If is left; one that is a graph output lives to
   the end. */
static void test_unread_and_final_results(void)
{
    struct sketch sketch =
        sketch_begin("x:1 t:1 u:1 e:1 f:1 r:1 s:1 y:1", "x",
                     "if: x > r s {then(one: > t u | t u) else(two: > e f | e f)}; last: > y");
    expect(&sketch, "s", 5, " x=[0,1) t=[1,4) u=[1,5) e=[2,4) f=[2,5) y=[4,5)");
}

/*     0 make -> a       then hands a on, so a is what r is read from
       1 if
           then: nothing
           2 else: two -> e
       3 leaves
       4 idle
       5 last reads r                                                        */
static void test_pass_through(void)
{
    struct sketch sketch =
        sketch_read("a:1 e:1 r:1 z:1 y:1", "",
                    "make: > a; if: > r {then(| a) else(two: > e | e)}; idle: > z; "
                    "last: r > y",
                    "y");
    struct liveness *liveness = create_liveness(&sketch);
    expect_lifetimes(&sketch, liveness, " a=[0,6) e=[2,6) z=[4,5) y=[5,6)");
    CU_ASSERT_EQUAL(liveness->region_begin[1], 2);
    CU_ASSERT_EQUAL(liveness->region_end[1], 2);
    CU_ASSERT_EQUAL(liveness->region_begin[2], 2);
    CU_ASSERT_EQUAL(liveness->region_end[2], 3);
    liveness_free(liveness);
    sketch_free(&sketch);
}

/* An If whose branches do nothing has the two steps of entering and leaving. */
static void test_empty_branches(void)
{
    struct sketch sketch = sketch_begin("x:1 y:1", "x", "if: x > {then(|) else(|)}; last: > y");
    expect(&sketch, "y", 3, " x=[0,1) y=[2,3)");
}

/*     0 outer
           then
           1 inner
               2 left -> p
               3 right -> q
           4 leaves with i
           5 more: i -> j
           else
           6 other -> k
       7 leaves with r
       8 last reads r            i is read at 5, so p and q live to 5; j and k to 8     */
static struct sketch sketch_nested(const char *then_yield)
{
    struct sketch sketch =
        sketch_begin("x:1 p:1 q:1 i:1 j:1 k:1 r:1 y:1", "x",
                     "outer: > r {then(inner: > i {yes(left: > p | p) no(right: x > q | q)}; "
                     "more: i > j | %s) else(other: > k | k)}; last: r > y",
                     then_yield);
    return sketch;
}

static void test_nested(void)
{
    struct sketch sketch = sketch_nested("j");
    sketch_finish(&sketch, "y");
    struct liveness *liveness = create_liveness(&sketch);
    CU_ASSERT_EQUAL(liveness->steps, 9);
    expect_lifetimes(&sketch, liveness, " x=[0,4) p=[2,6) q=[3,6) j=[5,9) k=[6,9) y=[8,9)");
    CU_ASSERT_EQUAL(liveness->block_upper[0], 9);
    CU_ASSERT_EQUAL(liveness->block_upper[1], 6);
    static const uint32_t begin[] = {0, 1, 2, 3, 6}, end[] = {9, 6, 3, 4, 7};
    for (uint32_t r = 0; r < 5; r++) {
        CU_ASSERT_EQUAL(liveness->region_begin[r], begin[r]);
        CU_ASSERT_EQUAL(liveness->region_end[r], end[r]);
    }
    liveness_free(liveness);
    sketch_free(&sketch);
}

/* The branch hands the inner result on: p and q are what r is read from at step 8. */
static void test_nested_result_handed_on(void)
{
    struct sketch sketch = sketch_nested("i");
    sketch_finish(&sketch, "y");
    struct liveness *liveness = create_liveness(&sketch);
    expect_lifetimes(&sketch, liveness, " x=[0,4) p=[2,9) q=[3,9) j=[5,6) k=[6,9) y=[8,9)");
    CU_ASSERT_EQUAL(liveness->block_upper[1], 9);
    liveness_free(liveness);
    sketch_free(&sketch);
}

/* Two tensors go through one operator after another: r of the first If is handed on by the second,
   whose result s is read last. */
static void test_result_through_a_later_if(void)
{
    struct sketch sketch =
        sketch_begin("t:1 e:1 r:1 f:1 s:1 y:1", "",
                     "first: > r {then(one: > t | t) else(two: > e | e)}; "
                     "second: > s {then(| r) else(three: > f | f)}; last: s > y");
    expect(&sketch, "y", 8, " t=[1,8) e=[2,8) f=[5,8) y=[7,8)");
}

/*     0 make -> w
       1 loop enters: reads i; g takes its place
           2 turn: g w -> v
       3 leaves: v is handed back to g
       4 idle
       5 last reads r, which is where g is                */
static struct sketch sketch_loop_of(const char *tensors)
{
    struct sketch sketch =
        sketch_begin(tensors, "i",
                     "make: > w; loop: > r [i g v r] {body(turn: g w > v |)}; idle: > z; "
                     "last: r > y");
    return sketch;
}

static void test_loop(void)
{
    struct sketch sketch = sketch_loop_of("i:1 w:1 g:1 v:1 r:1 z:1 y:1");
    sketch_finish(&sketch, "y");
    struct liveness *liveness = create_liveness(&sketch);
    CU_ASSERT_EQUAL(liveness->steps, 6);
    expect_lifetimes(&sketch, liveness, " i=[0,2) w=[0,4) g=[1,6) v=[2,4) z=[4,5) y=[5,6)");
    CU_ASSERT_EQUAL(liveness->block_upper[1], 4);
    liveness_free(liveness);
    sketch_free(&sketch);
}

static void test_loop_with_external_result(void)
{
    struct sketch sketch = sketch_loop_of("i:1 w:1 g:1 v:1 r:1! z:1 y:1");
    expect(&sketch, "y", 6, " i=[0,2) w=[0,4) g=[1,4) v=[2,4) z=[4,5) y=[5,6)");
}

/*     0 loop enters         c, which the condition yields, and v live until the loop is left
           1 cond: test -> c
           2 body: work -> u
           3 more u -> v
       4 leaves
       5 last reads o        o is no carried result: written in the loop, so live all through it */
static void test_loop_of_two_regions(void)
{
    struct sketch sketch =
        sketch_begin("i:1 g:1 c:1 u:1 v:1 r:1 o:1 y:1", "i",
                     "loop: > r o [i g v r] {cond(test: g > c | c) body(work: g > u; more: u "
                     "> v |)}; last: o > y");
    expect(&sketch, "y", 6, " i=[0,1) g=[0,5) c=[1,5) u=[2,4) v=[3,5) o=[0,6) y=[5,6)");
}

/* What a loop inside a loop reads lives to the end of the outermost loop that does not hold its
   producer: w through both, m, made in the outer body, through the inner one.

       0 make -> w
       1 outer
           2 middle -> m
           3 inner
               4 deep reads w m
           5 leaves
           6 tail
       7 leaves                                                                            */
static void test_nested_loops(void)
{
    struct sketch sketch =
        sketch_begin("w:1 m:1 d:1 t:1 y:1", "",
                     "make: > w; "
                     "outer: > [] {body(middle: > m; inner: > [] {body(deep: w m > d |)}; "
                     "tail: > t |)}; last: > y");
    expect(&sketch, "y", 9, " w=[0,8) m=[2,6) d=[4,5) t=[6,7) y=[8,9)");
}

/* A carried value that never changes: the argument is its own yield. */
static void test_argument_handed_on(void)
{
    struct sketch sketch = sketch_begin("i:1 g:1 r:1 t:1 y:1", "i",
                                        "loop: > r [i g g r] {body(turn: > t |)}; last: > y");
    expect(&sketch, "y", 4, " i=[0,1) g=[0,3) t=[1,2) y=[3,4)");
}

static const struct test_case cases[] = {
    {"a chain", test_chain},
    {"inputs, outputs and unread tensors", test_ends},
    {"an input that is an output", test_input_that_is_output},
    {"external tensors", test_external_tensors},
    {"no operators", test_no_operators},
    {"the picture in the header", test_if},
    {"steps of an If and its regions", test_steps_of_if},
    {"an external result", test_external_result},
    {"unread results and final ones", test_unread_and_final_results},
    {"a branch that hands on what it did not make", test_pass_through},
    {"empty branches", test_empty_branches},
    {"an If in an If", test_nested},
    {"an inner result handed on", test_nested_result_handed_on},
    {"a result through a later If", test_result_through_a_later_if},
    {"a loop", test_loop},
    {"a loop with an external result", test_loop_with_external_result},
    {"a loop of two regions", test_loop_of_two_regions},
    {"a loop in a loop", test_nested_loops},
    {"an argument handed on", test_argument_handed_on},
};

TESTING_MAIN("planning/liveness", cases)
