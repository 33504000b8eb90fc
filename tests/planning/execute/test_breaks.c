#include <stdio.h>
#include <string.h>

#include "planning/execute/execute.h"
#include "planning/sketch.h"
#include "planning/verify/describe.h"
#include "planning/verify/paths/paths.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

/* Placements by hand, each of which keeps or breaks one rule: both checks have to see it. */

static bool is_fine(struct sketch *sketch, const char *merges, const char *offsets)
{
    const struct execute_options options = EXECUTE_DEFAULTS;
    struct verdict verdict;
    struct execution execution;
    char text[512];
    sketch_merge(sketch, merges);
    sketch_place(sketch, offsets);
    must(verify_paths(sketch->graph, sketch->placement, &verdict, &error));
    must(execute_placement(sketch->graph, sketch->placement, &options, &execution, &error));
    if ((verdict.fault == VERIFY_VALID) != execution.intact) {
        verify_paths_describe(sketch->graph, sketch->placement, &verdict, text, sizeof text);
        printf("\n%s, %s: %s, execution %s\n", merges, offsets, text,
               execution.intact ? "intact" : "damaged");
    }
    CU_ASSERT_EQUAL(verdict.fault == VERIFY_VALID, execution.intact);
    return execution.intact;
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

/* Where inner went to `a`, r is p already and nothing is moved over q2; where it went to `b`, p2 is
   moved there, and q is not. v lies where k is needed, so that copies are traced back. */
static void test_no_memory(void)
{
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read("x:4 p:4 q:4 u:8 v:4 k:4 l:4 r:4 s:4", "x",
                                       "inner: x > k l {a(first: > p q | p q) b(second: > u v | u "
                                       "v)}; outer: x > r s {only(| k l)}",
                                       "r s");
    sketch_place(&sketch, "x@0 p@4 q@8 u@16 v@4 r@4 s@28");
    fail_each(verify_sketch, &sketch);
    fail_each(execute_sketch, &sketch);
}

enum { MOST_CHECKS = 9 };

static const struct scene {
    const char *name;
    struct sketch_text text;
    struct {
        enum { FINE = 1, CAUGHT } is;
        const char *merges, *offsets;
    } check[MOST_CHECKS];
} scenes[] = {
    /* The block of policy max: [4, 8) lives at the If only, so v may come to lie there. */
    {"a result escapes its block",
     {"x:4 t:4 e:4 r:4 v:4 out:4", "x",
      "if: x > r {then(then: x > t | t) else(else: x > e | e)}; later: x > v; last: r v > out",
      "out"},
     {{CAUGHT, "", "x@0 t@4 e@4 v@4 out@8"}, {FINE, "", "x@0 t@4 e@4 v@8 out@12"}}},
    {"place of a result",
     {"x:4 t:4 e:4 r:4 v:4 out:4", "x",
      "if: x > r {then(then: x > t | t) else(else: x > e | e)}; later: x > v; last: r v > out",
      "out"},
     {{FINE, "", "x@0 t@4 e@4 r@4 v@8 out@12"},
      {FINE, "", "x@0 t@8 e@4 r@4 v@8 out@12"},
      {FINE, "", "x@0 t@6 e@4 r@4 v@10 out@14"},
      {CAUGHT, "", "x@0 t@4 e@4 r@4 v@4 out@12"},
      {CAUGHT, "", "x@0 t@4 e@8 r@4 v@6 out@12"},
      {CAUGHT, "", "x@0 t@4 e@8 r@0 v@12 out@16"}}},
    /* What else yields more than the result has keeps v away, on every path. */
    {"bytes of a result",
     {"x:4 t:2 e:8 r:4 v:4", "x",
      "if: x > r {then(then: x > t | t) else(else: x > e | e)}; later: x > v", "r v"},
     {{FINE, "", "x@0 t@4 e@4 r@4 v@12"}, {CAUGHT, "", "x@0 t@4 e@4 r@4 v@8"}}},
    {"copies at once",
     {"x:4 a:4 b:4 c:4 d:4 r:4 s:4", "x",
      "if: x > r s {then(first: x > a b | a b) else(second: x > c d | c d)}", "r s"},
     {{FINE, "", "x@0 a@8 b@12 c@8 d@12 r@8 s@12"},
      {FINE, "", "x@0 a@16 b@20 c@8 d@20 r@8 s@12"},
      {CAUGHT, "", "x@0 a@12 b@8 c@8 d@12 r@8 s@12"},
      {CAUGHT, "", "x@0 a@12 b@20 c@8 d@12 r@8 s@12"},
      {CAUGHT, "", "x@0 a@8 b@12 c@8 d@12 r@8 s@10"}}},
    {"copies follow the path",
     {"x:4 p:4 q:4 u:8 v:4 k:4 l:4 r:4 s:4", "x",
      "inner: x > k l {a(first: > p q | p q) b(second: > u v | u v)}; outer: x > r s {only(| k l)}",
      "r s"},
     {{FINE, "", "x@0 p@4 q@8 u@16 v@24 r@4 s@28"},
      {CAUGHT, "", "x@0 p@4 q@8 u@16 v@8 r@4 s@28"},
      {CAUGHT, "", "x@0 p@32 q@6 u@16 v@24 r@4 s@28"}}},
    /* z is read in `then` after it was there to be overwritten, and never in `else`. */
    {"outer tensor in a branch",
     {"x:4 z:4 t:4 t2:4 e:4 e2:4 r:4", "x",
      "make: x > z; if: x > r {then(t_first: x > t; t_second: t z > t2 | t2) else(e_first: x > e; "
      "e_second: e > e2 | e2)}",
      "r"},
     {{FINE, "", "x@0 z@4 t@8 t2@0 e@4 e2@0"},
      {CAUGHT, "", "x@0 z@4 t@4 t2@0 e@8 e2@0"},
      {FINE, "t2<z", "x@0 z@4 t@8 t2@4 e@4 e2@0"},
      {CAUGHT, "", "x@0 z@4 t@8 t2@4 e@4 e2@0"}}},
    /* An input that is read once more after the If must not be written over in a branch. */
    {"in place where it is read again",
     {"x:4 z:4 t:4 r:4 out:4", "x",
      "make: x > z; if: x > r {then(then: z > t | t) else(| x)}; last: r z > out", "out"},
     {{CAUGHT, "t<z", "x@0 z@4 t@4 out@8"}, {FINE, "t<z", "x@0 z@4 t@8 out@12"}}},
    {"outer tensor in a loop",
     {"x:4 i:4 a:4 t:4 y:4 r:4 out:4", "x i",
      "loop: > r [i a y r] {body(use: x a > t; next: t > y |)}; last: r > out", "out"},
     {{FINE, "", "x@0 i@4 a@8 t@12 y@4 out@0"},
      {CAUGHT, "", "x@0 i@4 a@8 t@12 y@0 out@0"},
      {CAUGHT, "t<x", "x@0 i@4 a@8 t@0 y@4 out@0"}}},
    {"carried values in place",
     {"x:4 i:4 a:4 t:4 y:4 r:4 out:4", "x i",
      "loop: > r [i a y r] {body(use: x a > t; next: t > y |)}; last: r > out", "out"},
     {{FINE, "y<a", "x@0 i@4 a@8 t@12 y@8 out@0"},
      {FINE, "a<i", "x@0 i@4 a@4 t@12 y@8 out@0"},
      {FINE, "a<i y<a", "x@0 i@4 a@4 t@12 y@4 out@0"},
      {FINE, "t<a y<t", "x@0 i@4 a@8 t@8 y@12 out@0"},
      {FINE, "", "x@0 i@4 a@4 t@12 y@8 out@0"},
      {FINE, "", "x@0 i@4 a@6 t@12 y@7 out@0"},
      {CAUGHT, "", "x@0 i@4 a@8 t@8 y@12 out@0"},
      {CAUGHT, "", "x@0 i@4 a@8 t@12 y@12 out@0"}}},
    /* i is read in every turn, and after the loop; only b, which changes, has to leave it. */
    {"a carried value that never changes",
     {"i:4 a:4 b:4 y:4 r:4 s:4 out:4", "i",
      "loop: > r s [i a a r i b y s] {body(use: a b i > y |)}; last: i r s > out", "out"},
     {{FINE, "", "i@0 a@0 b@4 y@8 out@12"},
      {FINE, "", "i@0 a@12 b@4 y@8 out@16"},
      {CAUGHT, "", "i@0 a@4 b@0 y@8 out@12"},
      {CAUGHT, "", "i@0 a@0 b@0 y@8 out@12"},
      {CAUGHT, "", "i@0 a@2 b@8 y@12 out@16"}}},
    /* Two arguments start from one value: both coincide with it where nothing ever changes. */
    {"exchange of what never changes",
     {"i:4 a:4 b:4 r:4 s:4 t:4", "i", "loop: > r s [i a b r i b a s] {body(use: a b > t |)}",
      "r s i"},
     {{FINE, "", "i@0 a@0 b@0 t@4"},
      {FINE, "", "i@0 a@4 b@8 t@12"},
      {CAUGHT, "", "i@0 a@0 b@4 t@8"},
      {CAUGHT, "", "i@0 a@4 b@4 t@8"}}},
    /* Once first has read the argument, it may be lost until the turn ends; what the turn yields is
   moved then, and must not be under another argument. */
    {"an argument that is read no more",
     {"i:4 a:4 t:4 u:4 y:4 r:4", "i",
      "loop: > r [i a y r] {body(first: a > t; second: t > u; third: u > y |)}", "r"},
     {{FINE, "", "i@0 a@0 t@4 u@0 y@4"},
      {FINE, "", "i@0 a@0 t@4 u@8 y@2"},
      {CAUGHT, "", "i@0 a@0 t@2 u@6 y@10"}}},
    /* A turn that hands its argument on, in one branch, needs it to its end. */
    {"an argument handed on in one branch",
     {"i:4 a:4 t:4 e:4 q:4 r:4", "i",
      "loop: > r [i a q r] {body(first: a > t; if: > q {then(| a) else(make: t > e | e)} |)}", "r"},
     {{FINE, "", "i@0 a@0 t@4 e@0 q@0"},
      {FINE, "", "i@0 a@0 t@4 e@8 q@4"},
      {CAUGHT, "", "i@0 a@0 t@0 e@8 q@4"},
      {CAUGHT, "", "i@0 a@0 t@4 e@4 q@0"}}},
    /* first has made y when second still reads the argument; i is an output of the graph. */
    {"carried value still needed",
     {"x:4 i:4 a:4 t:4 y:4 r:4", "x i", "loop: > r [i a y r] {body(first: x > y; second: a > t |)}",
      "r i"},
     {{FINE, "", "x@0 i@4 a@8 y@12 t@16"},
      {CAUGHT, "y<a", "x@0 i@4 a@8 y@8 t@16"},
      {CAUGHT, "a<i", "x@0 i@4 a@4 y@12 t@16"}}},
    /* Two arguments: a yield in the other one's place is gone when that one is moved. */
    {"place of another argument",
     {"i:4 j:4 a:4 b:4 y:4 z:4 r:4 s:4", "i j",
      "loop: > r s [i a y r j b z s] {body(next: a b > y z |)}", "r s"},
     {{FINE, "y<a z<b", "i@0 j@4 a@8 b@12 y@8 z@12"},
      {CAUGHT, "y<b z<a", "i@0 j@4 a@8 b@12 y@12 z@8"},
      {CAUGHT, "y<b", "i@0 j@4 a@8 b@12 y@12 z@16"}}},
    /* The body's last If writes straight into the argument, which both branches have read. */
    {"result in an argument's place",
     {"i:4 a:4 t:4 e:4 q:4 r:4", "i",
      "loop: > r [i a q r] {body(if: > q {then(t_first: a > t | t) else(else: > e | e)} |)}", "r"},
     {{FINE, "q<a t<a e<a", "i@0 a@4 t@4 e@4 q@4"},
      {FINE, "q<a", "i@0 a@4 t@8 e@4 q@4"},
      {FINE, "q<a", "i@0 a@4 t@8 e@8 q@4"},
      {CAUGHT, "q<a", "i@0 a@4 t@6 e@8 q@4"}}},
    /* What is written in place: only exactly where that is declared. */
    {"exactly where declared",
     {"i:4! t:4 u:4 s:2 z:1", "", "make: i > t; relu: t > u; half: u > s; last: s > z", "z"},
     {{FINE, "u<t s<u", "t@0 u@0 s@0 z@2"},
      {CAUGHT, "", "t@0 u@0 s@4 z@8"},
      {CAUGHT, "s<u", "t@0 u@0 s@4 z@8"},
      {CAUGHT, "u<t", "t@0 u@1 s@5 z@8"},
      {CAUGHT, "s<u", "t@0 u@4 s@5 z@8"},
      {FINE, "u<t", "t@0 u@4 s@0 z@4"},
      {CAUGHT, "s<t", "t@0 u@4 s@4 z@8"},
      {CAUGHT, "u<t z<s", "t@0 u@0 s@4 z@5"}}},
    {"a larger output",
     {"i:4! t:2 u:4 z:1", "", "make: i > t; grow: t > u; last: u > z", "z"},
     {{CAUGHT, "u<t", "t@0 u@0 z@4"}}},
    {"another reader",
     {"i:4! t:4 u:4 w:4 z:1", "", "make: i > t; early: t > w; relu: t > u; late: u w > z", "z"},
     {{FINE, "u<t", "t@0 w@4 u@0 z@8"},
      {CAUGHT, "w<t", "t@0 w@0 u@4 z@8"},
      {CAUGHT, "w<t u<t", "t@0 w@0 u@0 z@8"}}},
    {"an output of the graph",
     {"i:4! t:4 u:4", "", "make: i > t; relu: t > u", "u t"},
     {{CAUGHT, "u<t", "t@0 u@0"}, {FINE, "u=t", "t@0 u@0"}}},
    {"read twice",
     {"i:4! t:4 u:4 v:4 w:4 z:1", "", "make: i > t v; square: t t > u; two: v > w z", "u w"},
     {{CAUGHT, "u<t", "t@0 u@0 v@4 w@8 z@12"},
      {FINE, "w<v", "t@0 u@8 v@4 w@4 z@0"},
      {CAUGHT, "w<v z<v", "t@0 u@8 v@4 w@4 z@4"}}},
    /* t is read in one branch after it was overwritten in the other, and after the If. */
    {"branches",
     {"i:4! t:4 a:4 b:4 e:4 r:4 z:4", "",
      "make: i > t; choose: i > r {then(relu: t > a; more: a > b | b) else(other: t > e | e)}; "
      "last: r > z",
      "z"},
     {{FINE, "a<t b<a e<t", "t@0 a@0 b@0 e@0 z@4"}, {CAUGHT, "a<t b<a", "t@0 a@0 b@0 e@0 z@4"}}},
    {"branches",
     {"i:4! t:4 a:4 r:4 z:4", "",
      "make: i > t; choose: i > r {then(relu: t > a | a) else(| t)}; last: r t > z", "z"},
     {{CAUGHT, "a<t", "t@0 a@0 z@4"},
      {CAUGHT, "z<t a=t", "t@0 a@0 z@0"},
      {FINE, "a=t", "t@0 a@0 z@4"}}},
    /* The next turn reads again what the body reads from outside; arguments are no different. */
    {"loop",
     {"i:4! k:4 t:4 q:4 a:4 b:4 y:4 r:4", "",
      "make: i > t k; loop: i > r [t q y r] {body(outer: k > a; inner: a > b; add: b q > y |)}",
      "r"},
     {{FINE, "b<a y<b", "t@12 k@4 q@8 a@0 b@0 y@0"}, {CAUGHT, "a<k", "t@12 k@4 q@8 a@4 b@0 y@16"}}},
    /* v is a view of t: the place is needed as long as either is. */
    {"views",
     {"i:4! t:4 v:4 w:4 u:4 y:4 z:1", "",
      "make: i > t; reshape: t > v; again: v > w; relu: t > u; other: w > y; last: u y > z", "z"},
     {{FINE, "v=t w=v", "t@0 v@0 w@0 u@4 y@8 z@0"},
      {FINE, "v=t w=v y<w", "t@0 v@0 w@0 u@4 y@0 z@8"},
      {CAUGHT, "v=t w=v u<t", "t@0 v@0 w@0 u@0 y@4 z@8"},
      {CAUGHT, "v=t w=v", "t@0 v@0 w@0 u@0 y@4 z@8"},
      {CAUGHT, "v=t w<v", "t@0 v@0 w@0 u@4 y@8 z@8"},
      {CAUGHT, "v<t w<v", "t@0 v@0 w@0 u@4 y@8 z@12"},
      {CAUGHT, "v=t", "t@0 v@2 w@8 u@12 y@16 z@20"},
      {FINE, "v=t", "t@0 v@4 w@8 u@4 y@0 z@8"}}},
    {"a view and what it views",
     {"i:4! t:4 v:4 u:4", "", "make: i > t; reshape: t > v; add: t v > u", "u"},
     {{FINE, "v=t", "t@0 v@0 u@4"},
      {CAUGHT, "v=t u<v", "t@0 v@0 u@0"},
      {CAUGHT, "v=t u<t", "t@0 v@0 u@0"}}},
};

static void test_scenes(void)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        SCOPED(sketch_free) struct sketch sketch = sketch_of(&scenes[i].text);
        for (int c = 0; c < MOST_CHECKS && scenes[i].check[c].offsets; c++)
            if (is_fine(&sketch, scenes[i].check[c].merges, scenes[i].check[c].offsets) !=
                (scenes[i].check[c].is == FINE)) {
                printf("\n%s: %s, %s\n", scenes[i].name, scenes[i].check[c].merges,
                       scenes[i].check[c].offsets);
                CU_FAIL("the checks do not say what is expected");
            }
    }
}

static const struct test_case cases[] = {
    {"placements by hand", test_scenes},
    {"no memory", test_no_memory},
};

TESTING_MAIN("planning/execute_breaks", cases)
