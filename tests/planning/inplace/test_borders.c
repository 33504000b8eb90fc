#include <string.h>

#include "planning/merging.h"
#include "planning/placing.h"
#include "planning/policies/policy.h"
#include "support/fail_each.h"
#include "support/testing.h"

/* Sets the types of operators to Relu, then compares and places under every safe policy. */
static void expect(struct sketch *sketch, const char *relus, const char *expected)
{
    char name[32];
    for (size_t length; (relus += strspn(relus, " "), length = strcspn(relus, " ")) > 0;
         relus += length) {
        memcpy(name, relus, length);
        name[length] = '\0';
        merging_set_type(sketch, name, "Relu");
    }
    merging_expect(sketch, "borders", expected);
    for (uint32_t q = 0; q < policy_count(); q++) {
        if (policy_at(q)->flags & POLICY_UNSAFE)
            continue;
        placing_place(sketch, policy_at(q)->name, 1);
        placing_expect_safe(sketch, true);
    }
    sketch_free(sketch);
}

/* x is read in branches that exclude each other, or also after them. */
static struct sketch sketch_branches(const char *read_last)
{
    struct sketch sketch =
        sketch_begin("x:8 u:8 s:1 v:8 e:1 r:1 y:1", "",
                     "make: > x; "
                     "choose: > r {then(first: x > u; small: u > s | s) else(second: x > v; "
                     "tiny: v > e | e)}; last: %s > y",
                     read_last);
    sketch_finish(&sketch, "y");
    return sketch;
}

static void test_both_branches(void)
{
    struct sketch sketch = sketch_branches("r");
    expect(&sketch, "first second", "u<x v<x");
    sketch = sketch_branches("r");
    expect(&sketch, "second", "v<x");
}

static void test_read_after_the_branches(void)
{
    struct sketch sketch = sketch_branches("r x");
    expect(&sketch, "first second", "");
}

/* A branch in a branch: what its own branch reads later counts, what the others read does not. */
static void test_deeper(void)
{
    struct sketch sketch =
        sketch_read("x:8 z:8 u:8 s:1 i:1 v:8 a:1 e:1 r:1", "",
                    "make: > x z; "
                    "outer: > r {then(inner: > i {yes(first: x > u; second: z > v; small: u "
                    "v > s | s)}; after: i z > a | a) else(other: x z > e | e)}",
                    "r");
    expect(&sketch, "first second", "u<x");
}

/* What comes from outside a loop is read again by its next turn; what an If in the body reads from
   the body is not. */
static void test_branch_in_body(void)
{
    struct sketch sketch =
        sketch_read("x:8 m:8 u:8 v:8 s:1 r:1", "",
                    "make: > x; "
                    "loop: > [] {body(middle: > m; choose: > r {then(first: x > u; second: m "
                    "> v; small: u v > s | s)} |)}",
                    "");
    expect(&sketch, "first second", "v<m");
}

/* Yields, results, inputs of the graph, and what is external. */
static void test_others_stay(void)
{
    struct sketch sketch =
        sketch_read("g:8 x:8! t:8 q:8 a:8 b:8 c:8 d:8 s:1 r:1", "g",
                    "before: > q {only(make: > t | t)}; "
                    "choose: > r {then(input: g > a; weight: x > b; result: q > c; yield: c "
                    "> d | d)}; last: r > s",
                    "s");
    expect(&sketch, "input weight result yield", "");
}

/* i, the carried argument a, t and the yield y; the operators read what is said. */
static struct sketch sketch_body(const char *input, const char *body_reads, const char *yield_reads,
                                 const char *end_reads, const char *last_reads)
{
    struct sketch sketch =
        sketch_begin("i:8 a:8 t:3 y:8 e:1 l:8 z:1", "",
                     "make: > i; "
                     "loop: %s > l [i a y l] {body(work: %s > t; next: %s > y; end: %s > e "
                     "|)}; last: %s > z",
                     input, body_reads, yield_reads, end_reads, last_reads);
    sketch_finish(&sketch, "z");
    return sketch;
}

static void test_body(void)
{
    struct sketch sketch = sketch_body("", "a", "t", "y", "l");
    expect(&sketch, "", "a<i y<a");
}

/* Also where the operator that writes the yield reads the argument, if it can work in place. */
static void test_yield_over_what_it_reads(void)
{
    struct sketch sketch = sketch_body("", "a", "a t", "y", "l");
    expect(&sketch, "", "a<i");
    sketch = sketch_body("", "a", "a t", "y", "l");
    merging_declare_first(&sketch, "next");
    expect(&sketch, "", "a<i y<a");
    sketch = sketch_body("", "a", "a a", "y", "l");
    merging_declare_first(&sketch, "next");
    expect(&sketch, "", "a<i");
}

static void test_argument_read_later(void)
{
    struct sketch sketch = sketch_body("", "a", "t", "y a", "l");
    expect(&sketch, "", "a<i");
}

static void test_init_read_later(void)
{
    struct sketch sketch = sketch_body("", "a i", "t", "y", "l");
    expect(&sketch, "", "y<a");
    sketch = sketch_body("", "a", "t", "y", "l i");
    expect(&sketch, "", "y<a");
    sketch = sketch_body("i", "a", "t", "y", "l");
    expect(&sketch, "", "y<a");
}

/* The second turn of the outer loop starts with the same init. */
static void test_init_from_outside_a_loop(void)
{
    struct sketch sketch =
        sketch_read("i:8 a:8 y:8 l:8 z:1", "",
                    "make: > i; "
                    "outer: > [] {around(inner: > l [i a y l] {body(next: > y |)}; last: l > "
                    "z |)}",
                    "");
    expect(&sketch, "", "y<a");
}

/* One init for two arguments, and arguments that change places. */
static void test_two_carried(void)
{
    struct sketch sketch =
        sketch_read("i:8 a:8 b:8 y:8 k:8 l:8 z:1", "",
                    "make: > i; loop: > k l [i a b k i b y l] {body(next: a > y |)}; "
                    "last: k l > z",
                    "z");
    expect(&sketch, "", "");
}

/* Yielded twice, by a branch in the body, and as the slice of a turn. */
static void test_yields_that_stay(void)
{
    struct sketch sketch =
        sketch_read("i:8 a:8 y:8 k:8 l:8 j:8 b:8 x:8 r:8 z:1", "",
                    "make: > i j; loop: > l [i a y l] {body(next: > y | y)}; "
                    "again: > k [j b r k] {around(choose: > r {then(make_x: > x | x)} |)}; "
                    "last: k l > z",
                    "z");
    expect(&sketch, "", "a<i b<j");
}

/* A loop whose result a branch yields keeps the argument for the policy to place. */
static void test_result_that_is_yielded(void)
{
    struct sketch sketch =
        sketch_read("i:8 a:8 y:8 l:8 e:8 r:8 z:1", "",
                    "make: > i; "
                    "choose: > r {then(loop: > l [i a y l] {body(next: > y |)} | l) "
                    "else(other: > e | e)}; last: r > z",
                    "z");
    expect(&sketch, "", "y<a");
}

/* Types that are left out: of the operator that writes, or of the loop. */
static void test_disabled(void)
{
    struct sketch sketch = sketch_body("", "a", "t", "y", "l");
    merging_set_type(&sketch, "next", "Gemm");
    merging_set_type(&sketch, "loop", "Scan");
    merging_expect_without(&sketch, "borders", "Gemm", "a<i");
    merging_expect_without(&sketch, "borders", "Scan", "y<a");
    sketch_free(&sketch);
}

static enum status apply(const void *input, struct error *failure)
{
    const struct graph *graph = input;
    const struct inplace_choice choice = {inplace_find("borders"), NULL};
    struct placement *placement;
    TRY(placement_create(graph, &placement, failure));
    enum status status = inplace_apply(graph, &choice, placement, failure);
    placement_free(placement);
    return status;
}

static void test_allocations(void)
{
    struct sketch sketch = sketch_body("", "a", "t", "y", "l");
    fail_each(apply, sketch.graph);
    sketch_free(&sketch);
}

static const struct test_case cases[] = {
    {"both branches", test_both_branches},
    {"read after the branches", test_read_after_the_branches},
    {"a branch in a branch", test_deeper},
    {"a branch in a body", test_branch_in_body},
    {"yields, results, inputs and external tensors", test_others_stay},
    {"a body", test_body},
    {"a yield over what its operator reads", test_yield_over_what_it_reads},
    {"an argument that is read later", test_argument_read_later},
    {"an init that is read later", test_init_read_later},
    {"an init from outside a loop", test_init_from_outside_a_loop},
    {"two carried values", test_two_carried},
    {"yields that stay", test_yields_that_stay},
    {"a result that is yielded", test_result_that_is_yielded},
    {"types that are left out", test_disabled},
    {"every allocation failing", test_allocations},
};

TESTING_MAIN("planning/inplace_borders", cases)
