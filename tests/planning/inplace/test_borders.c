#include <string.h>

#include "planning/merging.h"
#include "planning/placing.h"
#include "planning/policies/policy.h"
#include "support/fail_each.h"
#include "support/testing.h"

/* x is read in branches that exclude each other, or also after them. */
#define BRANCHES(read_last)                                                                        \
    {                                                                                              \
        "x:8 u:8 s:1 v:8 e:1 r:1 y:1", "",                                                         \
            "make: > x; choose: > r {then(first: x > u; small: u > s | s) else(second: x > v; "    \
            "tiny: v > e | e)}; last: " read_last " > y",                                          \
            "y"                                                                                    \
    }

/* i, the carried argument a, t and the yield y; the operators read what is said. */
#define BODY(input, body_reads, yield_reads, end_reads, last_reads)                                \
    {                                                                                              \
        "i:8 a:8 t:3 y:8 e:1 l:8 z:1", "",                                                         \
            "make: > i; loop: " input " > l [i a y l] {body(work: " body_reads                     \
            " > t; next: " yield_reads " > y; end: " end_reads " > e |)}; last: " last_reads       \
            " > z",                                                                                \
            "z"                                                                                    \
    }

static const struct scene {
    struct sketch_text text;
    const char *relus;    /* operators whose type is Relu */
    const char *declared; /* operator whose output may be written over its first input, or NULL */
    const char *merges;
} scenes[] = {
    {BRANCHES("r"), "first second", NULL, "u<x v<x"},
    {BRANCHES("r"), "second", NULL, "v<x"},
    {BRANCHES("r x"), "first second", NULL, ""},
    /* A branch in a branch: what its own branch reads later counts, what the others read
       does not. */
    {{"x:8 z:8 u:8 s:1 i:1 v:8 a:1 e:1 r:1", "",
      "make: > x z; outer: > r {then(inner: > i {yes(first: x > u; second: z > v; "
      "small: u v > s | s)}; after: i z > a | a) else(other: x z > e | e)}",
      "r"},
     "first second",
     NULL,
     "u<x"},
    /* What comes from outside a loop is read again by its next turn; what an If in the body reads
       from the body is not. */
    {{"x:8 m:8 u:8 v:8 s:1 r:1", "",
      "make: > x; loop: > [] {body(middle: > m; choose: > r {then(first: x > u; second: m > v; "
      "small: u v > s | s)} |)}",
      ""},
     "first second",
     NULL,
     "v<m"},
    /* Yields, results, inputs of the graph, and what is external. */
    {{"g:8 x:8! t:8 q:8 a:8 b:8 c:8 d:8 s:1 r:1", "g",
      "before: > q {only(make: > t | t)}; choose: > r {then(input: g > a; weight: x > b; "
      "result: q > c; yield: c > d | d)}; last: r > s",
      "s"},
     "input weight result yield",
     NULL,
     ""},
    {BODY("", "a", "t", "y", "l"), "", NULL, "a<i y<a"},
    /* A yield over the argument that its operator reads, if that can work in place. */
    {BODY("", "a", "a t", "y", "l"), "", NULL, "a<i"},
    {BODY("", "a", "a t", "y", "l"), "", "next", "a<i y<a"},
    {BODY("", "a", "a a", "y", "l"), "", "next", "a<i"},
    /* An argument, or an init, that is read later. */
    {BODY("", "a", "t", "y a", "l"), "", NULL, "a<i"},
    {BODY("", "a i", "t", "y", "l"), "", NULL, "y<a"},
    {BODY("", "a", "t", "y", "l i"), "", NULL, "y<a"},
    {BODY("i", "a", "t", "y", "l"), "", NULL, "y<a"},
    /* The second turn of the outer loop starts with the same init. */
    {{"i:8 a:8 y:8 l:8 z:1", "",
      "make: > i; outer: > [] {around(inner: > l [i a y l] {body(next: > y |)}; last: l > z |)}",
      ""},
     "",
     NULL,
     "y<a"},
    /* One init for two arguments, and arguments that change places. */
    {{"i:8 a:8 b:8 y:8 k:8 l:8 z:1", "",
      "make: > i; loop: > k l [i a b k i b y l] {body(next: a > y |)}; last: k l > z", "z"},
     "",
     NULL,
     ""},
    /* Yielded twice, by a branch in the body, and as the slice of a turn. */
    {{"i:8 a:8 y:8 k:8 l:8 j:8 b:8 x:8 r:8 z:1", "",
      "make: > i j; loop: > l [i a y l] {body(next: > y | y)}; "
      "again: > k [j b r k] {around(choose: > r {then(make_x: > x | x)} |)}; last: k l > z",
      "z"},
     "",
     NULL,
     "a<i b<j"},
    /* A loop whose result a branch yields keeps the argument for the policy to place. */
    {{"i:8 a:8 y:8 l:8 e:8 r:8 z:1", "",
      "make: > i; choose: > r {then(loop: > l [i a y l] {body(next: > y |)} | l) "
      "else(other: > e | e)}; last: r > z",
      "z"},
     "",
     NULL,
     "y<a"},
};

/* Compares, and places under every safe policy. */
static void test_scenes(void)
{
    for (const struct scene *scene = scenes; scene < scenes + sizeof scenes / sizeof *scenes;
         scene++) {
        SCOPED(sketch_free) struct sketch sketch = sketch_of(&scene->text);
        const char *relus = scene->relus;
        char name[32];
        for (size_t length; (relus += strspn(relus, " "), length = strcspn(relus, " ")) > 0;
             relus += length) {
            snprintf(name, sizeof name, "%.*s", (int)length, relus);
            merging_set_type(&sketch, name, "Relu");
        }
        if (scene->declared)
            merging_declare_first(&sketch, scene->declared);
        merging_expect(&sketch, "borders", scene->merges);
        for (uint32_t q = 0; q < policy_count(); q++) {
            if (policy_at(q)->flags & POLICY_UNSAFE)
                continue;
            placing_place(&sketch, policy_at(q)->name, 1);
            placing_expect_safe(&sketch, true);
        }
    }
}

static struct sketch sketch_body(void)
{
    return sketch_of(&(struct sketch_text)BODY("", "a", "t", "y", "l"));
}

/* Types that are left out: of the operator that writes, or of the loop. */
static void test_disabled(void)
{
    SCOPED(sketch_free) struct sketch sketch = sketch_body();
    merging_set_type(&sketch, "next", "Gemm");
    merging_set_type(&sketch, "loop", "Scan");
    merging_expect_without(&sketch, "borders", "Gemm", "a<i");
    merging_expect_without(&sketch, "borders", "Scan", "y<a");
}

static enum status apply(const void *input, struct error *failure)
{
    const struct graph *graph = input;
    const struct inplace_choice choice = {inplace_find("borders"), NULL};
    SCOPED(placement_release) struct placement *placement = NULL;
    TRY(placement_create(graph, &placement, failure));
    return inplace_apply(graph, &choice, placement, failure);
}

static void test_allocations(void)
{
    SCOPED(sketch_free) struct sketch sketch = sketch_body();
    fail_each(apply, sketch.graph);
}

static const struct test_case cases[] = {
    {"graphs by hand", test_scenes},
    {"types that are left out", test_disabled},
    {"every allocation failing", test_allocations},
};

TESTING_MAIN("planning/inplace_borders", cases)
