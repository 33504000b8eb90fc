#include <stdio.h>
#include <string.h>

#include "planning/sketch.h"
#include "planning/verify/describe.h"
#include "planning/verify/paths/paths.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

static struct verdict verify_placed(struct sketch *sketch, const char *offsets)
{
    struct verdict verdict;
    sketch_place(sketch, offsets);
    must(verify_paths(sketch->graph, sketch->placement, &verdict, &error));
    return verdict;
}

/* Valid, or the two tensors that overlap and the step. */
struct check {
    const char *offsets, *first, *second;
    uint32_t step;
};

static void expect(struct sketch *sketch, const char *name, const struct check *check)
{
    struct verdict verdict = verify_placed(sketch, check->offsets);
    char text[256];
    bool as_expected = verdict.fault == VERIFY_VALID;
    if (check->first)
        as_expected =
            verdict.fault == VERIFY_OVERLAP && verdict.first == sketch_find(sketch, check->first) &&
            verdict.second == sketch_find(sketch, check->second) && verdict.step == check->step;
    verify_paths_describe(sketch->graph, sketch->placement, &verdict, text, sizeof text);
    if (!as_expected)
        printf("\n%s: %s: %s\n", name, check->offsets, text);
    CU_ASSERT_TRUE(as_expected);
}

static void test_faults_of_one_tensor(void)
{
    struct verdict verdict;
    char text[128];
    SCOPED(sketch_free) struct sketch sketch = sketch_read("a:4 w:8! b:4", "a", "f: a w > b", "b");
    verdict = verify_placed(&sketch, "a@0");
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_NO_OFFSET);
    CU_ASSERT_EQUAL(verdict.first, sketch_find(&sketch, "b"));
    verdict = verify_placed(&sketch, "a@0 b@18446744073709551613");
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_OUT_OF_RANGE);
    CU_ASSERT_EQUAL(verdict.first, sketch_find(&sketch, "b"));
    sketch_place(&sketch, "a@0 b@4");
    sketch.placement->measures.peak_bytes = 7;
    must(verify_paths(sketch.graph, sketch.placement, &verdict, &error));
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_WRONG_PEAK);
    verify_paths_describe(sketch.graph, sketch.placement, &verdict, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "tensor 'b' ends at 8, expected at most the peak 7");
    sketch.placement->measures.peak_bytes = 100;
    must(verify_paths(sketch.graph, sketch.placement, &verdict, &error));
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
    sketch.placement->tensors = 2;
    must(verify_paths(sketch.graph, sketch.placement, &verdict, &error));
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_WRONG_COUNT);
}

/* b may lie where a was, c may not. */
static void test_devices(void)
{
    char text[256];
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read("x:4! a:4 b:4 c:4", "", "1: x > a; 2: x > b; 3: x > c", "c");
    expect(&sketch, "devices", &(struct check){.offsets = "a@0 b@0 c@0"});
    sketch.graph->tensor[sketch_find(&sketch, "c")].device = 1;
    expect(&sketch, "devices", &(struct check){.offsets = "a@0 b@0 c@4"});
    struct verdict verdict = verify_placed(&sketch, "a@0 b@6 c@3");
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_DEVICES);
    verify_paths_describe(sketch.graph, sketch.placement, &verdict, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "tensors 'a' at [0, 4) and 'c' at [3, 7) share bytes, expected "
                                 "none, since they are on the devices 0 and 1");
    verdict = verify_placed(&sketch, "a@7 b@0 c@4");
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_DEVICES);
    CU_ASSERT_EQUAL(verdict.first, sketch_find(&sketch, "c"));
    CU_ASSERT_EQUAL(verdict.second, sketch_find(&sketch, "a"));
}

/* r is t or e; later makes v while r is needed. Steps: if 0, relu 1, pool 2, left 3, later 4. */
static struct sketch sketch_branches(void)
{
    return sketch_read("x:4 t:4 e:4 r:4 v:4 out:4", "x",
                       "if: x > r {then(relu: x > t | t) else(pool: x > e | e)}; later: x > v; "
                       "last: r v > out",
                       "out");
}

static enum status verify_branches(const void *input, struct error *found)
{
    const struct sketch *sketch = input;
    struct verdict verdict;
    return verify_paths(sketch->graph, sketch->placement, &verdict, found);
}

static void test_no_memory(void)
{
    SCOPED(sketch_free) struct sketch sketch = sketch_branches();
    sketch_place(&sketch, "x@0 t@4 e@4 v@8 out@0");
    fail_each(verify_branches, &sketch);
}

enum { MOST_CHECKS = 10 };

static const struct scene {
    const char *name;
    struct sketch_text text;
    struct check check[MOST_CHECKS];
} scenes[] = {
    {"operators in a row",
     {"a:4 b:4 c:4 d:4", "a", "f: a > b; g: b > c; h: c > d", "d"},
     {{.offsets = "a@0 b@4 c@0 d@4"},
      {"a@0 b@3 c@8 d@12", "a", "b", 0},
      {"a@0 b@4 c@0 d@3", "c", "d", 2}}},
    {"outputs that nobody reads",
     {"a:4 b:4 c:4 d:4", "a", "f: a > b c; g: a > d", "a d"},
     {{.offsets = "a@0 b@4 c@8 d@4"},
      {"a@0 b@4 c@4 d@8", "b", "c", 0},
      {"a@0 b@4 c@8 d@0", "a", "d", 1}}},
    {"inputs of the graph",
     {"a:4 b:4 c:4", "a b", "f: a > c", "c"},
     {{"a@0 b@0 c@4", "a", "b", 0}, {.offsets = "a@0 b@4 c@4"}}},
    {"yields outlive their branches",
     {"x:4 t:4 e:4 r:4 v:4 out:4", "x",
      "if: x > r {then(relu: x > t | t) else(pool: x > e | e)}; later: x > v; "
      "last: r v > out",
      "out"},
     {{.offsets = "x@0 t@4 e@4 v@8 out@0"},
      {.offsets = "x@0 t@4 e@8 v@12 out@0"},
      {"x@0 t@4 e@8 v@8 out@0", "e", "v", 4},
      {"x@0 t@4 e@8 v@4 out@0", "t", "v", 4},
      {"x@0 t@4 e@8 v@12 out@8", "e", "out", 5},
      {"x@0 t@4 e@0 v@12 out@16", "x", "e", 2}}},
    /* The scratch of the second If must not lie on what the first has left. */
    {"a sibling overwrites a result",
     {"x:4 t:4 e:4 r:4 scratch:4 u:4 s:4 out:4", "x",
      "first: > r {then(make_t: x > t | t) else(make_e: x > e | e)}; "
      "second: > s {then(make_scratch: x > scratch; make_u: scratch > u | u) "
      "else(| x)}; last: r s > out",
      "out"},
     {{.offsets = "x@0 t@4 e@4 scratch@8 u@12 out@8"},
      {"x@0 t@4 e@8 scratch@8 u@12 out@16", "e", "scratch", 5},
      {"x@0 t@4 e@8 scratch@12 u@4 out@16", "t", "u", 6}}},
    /* z is read in `then` only. Steps: make 0, if 1, then 2 3, else 4 5, left 6. */
    {"captured where only one branch reads it",
     {"x:4 z:4 t:4 t2:4 e:4 e2:4 r:4", "x",
      "make: x > z; "
      "if: x > r {then(t_first: x > t; t_second: t z > t2 | t2) else(e_first: "
      "x > e; e_second: e > e2 | e2)}",
      "r"},
     {{.offsets = "x@0 z@4 t@8 t2@0 e@4 e2@0"},
      {"x@0 z@4 t@4 t2@0 e@8 e2@0", "z", "t", 2},
      {"x@0 z@4 t@8 t2@4 e@8 e2@0", "z", "t2", 3}}},
    /* What one branch passes through is dead in the other, even while the result is needed. */
    {"passed through, and an empty branch",
     {"x:4 z:4 e:4 r:4 v:4 out:4", "x",
      "make: x > z; if: x > r {then(| z) else(pool: x > e | e)}; later: x > v; "
      "last: r v > out",
      "out"},
     {{.offsets = "x@0 z@4 e@4 v@8 out@0"}, {"x@0 z@4 e@8 v@4 out@0", "z", "v", 4}}},
    {"external result",
     {"x:4 t:4 e:4 r:4! v:4 out:4", "x",
      "if: x > r {then(relu: x > t | t) else(pool: x > e | e)}; later: x > v; "
      "last: r v > out",
      "out"},
     {{.offsets = "x@0 t@4 e@4 v@4 out@0"}, {"x@0 t@0 e@4 v@4 out@0", "x", "t", 1}}},
    /* The inner result s is what `then` of the outer If yields, so i1 and i2 outlive both.
   Steps: outer 0, inner 1, first 2, second 3, left 4, other 5, scratch 6, left 7, later 8. */
    {"nested",
     {"x:4 i1:4 i2:4 s:4 o:4 scratch:4 r:4 v:4 out:4", "x",
      "outer: x > r {then(inner: x > s {a(first: x > i1 | i1) b(second: x > i2 "
      "| i2)} | s) else(other: x > scratch; another: scratch > o | o)}; "
      "later: x > v; last: r v > out",
      "out"},
     {{.offsets = "x@0 i1@4 i2@4 scratch@8 o@4 v@8 out@0"},
      {.offsets = "x@0 i1@4 i2@8 scratch@4 o@8 v@12 out@0"},
      {"x@0 i1@4 i2@8 scratch@4 o@8 v@4 out@0", "i1", "v", 8},
      {"x@0 i1@4 i2@8 scratch@4 o@12 v@8 out@0", "i2", "v", 8},
      {"x@0 i1@4 i2@8 scratch@16 o@16 v@20 out@0", "o", "scratch", 6}}},
    {"loop",
     {"x:4 i:4 a:4 t:4 y:4 r:4 v:4 out:4 n:4! all:4", "x i",
      "loop: n > r all [i a y r] {body(use: x > t; next: a t > y | t)}; "
      "later: > v; last: r v all > out",
      "out"},
     {{.offsets = "x@0 i@4 a@8 all@12 t@4 y@16 v@0 out@4"},
      {.offsets = "x@0 i@4 a@4 all@12 t@8 y@16 v@0 out@20"},
      {"x@0 i@4 a@2 all@12 t@8 y@16 v@20 out@24", "x", "a", 3},
      {"x@0 i@4 a@8 all@12 t@8 y@16 v@0 out@20", "a", "t", 3},
      {"x@0 i@4 a@8 all@12 t@20 y@8 v@0 out@24", "a", "y", 2},
      {"x@0 i@4 a@8 all@12 t@20 y@0 v@0 out@24", "x", "y", 2},
      {"x@0 i@4 a@8 all@12 t@20 y@12 v@0 out@24", "y", "all", 2},
      {"x@0 i@4 a@8 all@12 t@20 y@20 v@0 out@24", "t", "y", 2},
      {"x@0 i@4 a@8 all@12 t@20 y@16 v@8 out@24", "a", "v", 4},
      {"x@0 i@4 a@8 all@8 t@20 y@16 v@0 out@24", "a", "all", 3}}},
    /* z is read in one branch inside a loop: the other branch must keep it for the next turn. */
    {"branches in a loop",
     {"x:4 z:4 i:4 a:4 t:4 e:4 q:4 r:4", "x i",
      "make: x > z; "
      "loop: > r [i a q r] {body(if: a > q {then(relu: z > t | t) else(pool: a "
      "> e | e)} |)}",
      "r"},
     {{.offsets = "x@4 i@12 z@0 a@8 t@12 e@12"},
      {.offsets = "x@4 i@12 z@0 a@8 t@4 e@12"},
      {"x@4 i@12 z@0 a@8 t@12 e@0", "z", "e", 4}}},
};

static void test_scenes(void)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        SCOPED(sketch_free) struct sketch sketch = sketch_of(&scenes[i].text);
        for (int c = 0; c < MOST_CHECKS && scenes[i].check[c].offsets; c++)
            expect(&sketch, scenes[i].name, &scenes[i].check[c]);
    }
}

static const struct test_case cases[] = {
    {"placements by hand", test_scenes},
    {"faults of one tensor", test_faults_of_one_tensor},
    {"devices", test_devices},
    {"no memory", test_no_memory},
};

TESTING_MAIN("planning/verify_paths", cases)
