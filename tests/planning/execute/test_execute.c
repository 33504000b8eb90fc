#include <stdio.h>
#include <string.h>

#include "planning/execute/execute.h"
#include "planning/sketch.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/testing.h"

static struct execution execute_placed(struct sketch *sketch, const char *offsets)
{
    struct execution execution;
    const struct execute_options options = EXECUTE_DEFAULTS;
    sketch_place(sketch, offsets);
    must(execute_placement(sketch->graph, sketch->placement, &options, &execution, &error));
    return execution;
}

/* Says the same, in these words. */
static void expect_execution(struct sketch *sketch, const char *offsets, const char *sentence)
{
    struct execution execution = execute_placed(sketch, offsets);
    char text[256];
    must(execute_describe(&(struct executed){sketch->graph, sketch->placement, &execution}, text,
                          sizeof text, &error));
    if (strcmp(text, sentence) != 0)
        printf("\n%s: %s\n", offsets, text);
    CU_ASSERT_STRING_EQUAL(text, sentence);
}

static void test_chain(void)
{
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("a:4 b:4 c:4 d:4 w:4!", "a", "f: a w > b; g: b > c; h: c > d", "b d");
    expect_execution(&sketch, "a@0 b@4 c@0 d@8", "every tensor is intact on every path (1 run)");
    expect_execution(&sketch, "a@0 b@3 c@8 d@12",
                     "'f' finds bytes of 'a' overwritten by 'b' on path 0");
    expect_execution(&sketch, "a@0 b@4 c@0 d@7",
                     "'sketch' finds bytes of 'b' overwritten by 'd' on path 0");
    struct execution execution = execute_placed(&sketch, "a@0 b@4 c@0 d@7");
    CU_ASSERT_FALSE(execution.intact);
    CU_ASSERT_EQUAL(execution.op, GRAPH_NONE);
    CU_ASSERT_EQUAL(execution.damaged, sketch_find(&sketch, "b"));
    CU_ASSERT_EQUAL(execution.writer, sketch_find(&sketch, "d"));
}

static void test_bad_places(void)
{
    struct execution execution;
    const struct execute_options options = EXECUTE_DEFAULTS;
    SCOPED(sketch_free) struct sketch sketch = sketch_read("a:4 b:4", "a", "f: a > b", "b");
    expect_execution(&sketch, "a@0", "tensor 'b' has no offset");
    expect_execution(&sketch, "a@0 b@18446744073709551613", "tensor 'b' ends beyond 2^64 bytes");
    sketch.placement->tensors = 1;
    CU_ASSERT_EQUAL(execute_placement(sketch.graph, sketch.placement, &options, &execution, &error),
                    STATUS_BAD_INPUT);
}

/* Three ways through the nested Ifs, times 1 + 2 + 4 + 8 through the loop. */
static void test_number_of_paths(void)
{
    struct execution execution;
    struct execute_options options = {
        .most_paths = 45, .most_sampled_operators = 1000000, .seed = 1};
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("x:4 r:4 s:4 q:4", "x",
                    "outer: > r {then(inner: > s {then(| x) else(| x)} | s) else(| x)}; loop: > [] "
                    "{body(choose: > q {then(| x) else(| r)} | q)}",
                    "r");
    sketch_place(&sketch, "x@0");
    must(execute_placement(sketch.graph, sketch.placement, &options, &execution, &error));
    CU_ASSERT(execution.intact && execution.all_paths);
    CU_ASSERT_EQUAL(execution.paths_run, 45);
    options.most_paths = 44;
    must(execute_placement(sketch.graph, sketch.placement, &options, &execution, &error));
    CU_ASSERT(execution.intact && !execution.all_paths);
    CU_ASSERT_EQUAL(execution.paths_run, 44);
}

/* The first of two paths is the last that is run: t is made over z. */
static void test_fault_leaves_paths(void)
{
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read("x:4 z:4 t:4 r:4", "x z",
                                       "choose: > r {then(make: x > t | x) else(| z)}", "r z");
    struct execution execution = execute_placed(&sketch, "x@0 z@4 t@8");
    CU_ASSERT(execution.intact && execution.all_paths && execution.paths_run == 2);
    execution = execute_placed(&sketch, "x@0 z@4 t@4");
    CU_ASSERT(!execution.intact && !execution.all_paths && execution.paths_run == 1);
}

/* More paths than 64 bits count, and the one fault in the last choice. */
static void test_samples(void)
{
    char text[4096];
    SCOPED(sketch_free) struct sketch sketch = sketch_begin("x:4 z:4 t:4 r:4", "x z", "%s", "");
    for (int i = 0; i < 70; i++)
        sketch_add(&sketch, "if%d: > {then(|) else(|)}", i);
    sketch_add(&sketch, "last: > r {then(| z) else(make: x > t | x)}");
    sketch_finish(&sketch, "r z");
    struct execution execution = execute_placed(&sketch, "x@0 z@4 t@8");
    CU_ASSERT(execution.intact && !execution.all_paths);
    CU_ASSERT_EQUAL(execution.paths_run, 4096);
    execution = execute_placed(&sketch, "x@0 z@4 t@4");
    CU_ASSERT_FALSE(execution.intact);
    must(execute_describe(&(struct executed){sketch.graph, sketch.placement, &execution}, text,
                          sizeof text, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "'z' overwritten by 't'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "last: else"));
    struct execution again = execute_placed(&sketch, "x@0 z@4 t@4");
    CU_ASSERT_EQUAL(again.path, execution.path);
}

/* Far more paths than are run, and yet all that they can visit is visited: both branches of 24 Ifs
   in a row, and those of one in a loop in one run of it. */
static void test_coverage(void)
{
    SCOPED(sketch_free) struct sketch sketch = sketch_begin("x:4", "x", "%s", "");
    for (int i = 0; i < 24; i++)
        sketch_add(&sketch, "if%d: > {then(|) else(|)}", i);
    sketch_add(&sketch, "loop: > [] {body(choose: > {then(|) else(|)} |)}");
    sketch_finish(&sketch, "x");
    struct execution execution = execute_placed(&sketch, "x@0");
    const struct execute_coverage *coverage = &execution.coverage;
    CU_ASSERT(execution.intact && !execution.all_paths);
    CU_ASSERT(coverage->regions == 51 && coverage->regions_covered == 51);
    CU_ASSERT(coverage->turns == 4 && coverage->turns_covered == 4);
    CU_ASSERT_TRUE(coverage->pairs_counted);
    CU_ASSERT(coverage->pairs == 51 * 50 / 2 - 24 && coverage->pairs_covered == coverage->pairs);
}

enum { CHAIN = 22 };

/* Each If passes on what the one before left, or makes something. */
static struct sketch sketch_chain(void)
{
    char names[1024] = "x:4 v:4 out:4";
    for (int i = 0; i < CHAIN; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, " e%d:4 r%d:4", i, i);
    }
    struct sketch sketch = sketch_begin(names, "x", "if0: > r0 {keep(| x) new(make0: > e0 | e0)}");
    for (int i = 1; i < CHAIN; i++)
        sketch_add(&sketch, "if%d: > r%d {keep(| r%d) new(make%d: > e%d | e%d)}", i, i, i - 1, i, i,
                   i);
    sketch_add(&sketch, "other: > v; last: r%d v > out", CHAIN - 1);
    sketch_finish(&sketch, "out");
    return sketch;
}

static struct execution execute_chain(struct sketch *sketch, const char *v)
{
    char offsets[1024];
    snprintf(offsets, sizeof offsets, "x@0 out@204 v@%s", v);
    for (int i = 0; i < CHAIN; i++) {
        size_t used = strlen(offsets);
        snprintf(offsets + used, sizeof offsets - used, " e%d@%d", i, 4 * i + 4);
    }
    return execute_placed(sketch, offsets);
}

/* Only on one of 2^22 paths is x still read once v was made, and on one of 2^k
   what If 22 - k did. */
static void test_one_of_many_paths(void)
{
    char text[1024];
    SCOPED(sketch_free) struct sketch sketch = sketch_chain();
    struct execution execution = execute_chain(&sketch, "200");
    CU_ASSERT(execution.intact && !execution.all_paths);
    CU_ASSERT_EQUAL(execution.coverage.threats, 0);
    CU_ASSERT_TRUE(execution.coverage.threats_counted);
    execution = execute_chain(&sketch, "0");
    CU_ASSERT_FALSE(execution.intact);
    must(execute_describe(&(struct executed){sketch.graph, sketch.placement, &execution}, text,
                          sizeof text, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "bytes of 'x' overwritten by 'v'"));
    CU_ASSERT_PTR_NULL(strstr(text, "new"));
    CU_ASSERT(execution.coverage.threats == 1 && execution.coverage.threats_covered == 1);
    for (int i = 0; i < CHAIN; i++) {
        char offset[8];
        snprintf(offset, sizeof offset, "%d", 4 * i + 4);
        CU_ASSERT_FALSE(execute_chain(&sketch, offset).intact);
    }
}

static void add_nest(struct sketch *sketch, int depth)
{
    char text[1024] = "";
    for (int d = 0; d < depth; d++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "if%u_%d: > {deeper(",
                 sketch->graph->operators, d);
    for (int d = 0; d < depth; d++)
        strcat(text, " |) out(|)}");
    sketch_add(sketch, "%s", text);
}

/* A random path would be in the innermost branch of each once in 2^30 times. */
static void test_coverage_of_nests(void)
{
    SCOPED(sketch_free) struct sketch sketch = sketch_begin("x:4", "x", "%s", "");
    struct execution execution;
    const struct execute_options options = {.most_paths = 800, .seed = 1};
    add_nest(&sketch, 15);
    add_nest(&sketch, 15);
    add_nest(&sketch, 15);
    sketch_finish(&sketch, "x");
    sketch_place(&sketch, "x@0");
    must(execute_placement(sketch.graph, sketch.placement, &options, &execution, &error));
    CU_ASSERT_EQUAL(execution.coverage.regions_covered, 90);
    CU_ASSERT(execution.paths_run >= 16 && execution.paths_run <= 32);
}

/* Three turns of each of 30 loops inside each other are 3^30 bodies. The innermost one passes t on
   to its next turn, in a place of which it writes u over. */
static void test_nested_loops(void)
{
    enum { DEPTH = 30 };
    SCOPED(text_free) struct text text = {0};
    for (int i = 1; i < DEPTH; i++)
        text_append(&text, "loop%d: > [] {body(", i);
    text_append(&text, "loop: > r [x a t r] {body(make: a > t; other: > u | t)}");
    for (int i = 1; i < DEPTH; i++)
        text_append(&text, " |)}");
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read("x:4 a:4 t:4 u:4 r:4", "x", text.bytes, "x");
    struct execution execution = execute_placed(&sketch, "x@0 a@4 t@8 u@12 r@4");
    const struct execute_coverage *coverage = &execution.coverage;
    CU_ASSERT(execution.intact && !execution.all_paths);
    CU_ASSERT(coverage->regions_covered == DEPTH && coverage->turns_covered == 4 * DEPTH);
    CU_ASSERT(coverage->pairs_covered == coverage->pairs);
    execution = execute_placed(&sketch, "x@0 a@4 t@8 u@8 r@4");
    CU_ASSERT(!execution.intact && execution.damaged == sketch_find(&sketch, "t"));
}

/* Rows for the pairs of 15 000 regions would take too much room. */
static void test_too_many_pairs(void)
{
    SCOPED(sketch_free) struct sketch sketch = sketch_begin("x:4", "x", "%s", "");
    for (int i = 0; i < 7500; i++)
        sketch_add(&sketch, "if%d: > {then(|) else(|)}", i);
    sketch_finish(&sketch, "x");
    struct execution execution = execute_placed(&sketch, "x@0");
    CU_ASSERT_TRUE(execution.intact);
    CU_ASSERT_FALSE(execution.coverage.pairs_counted);
    CU_ASSERT_EQUAL(execution.coverage.regions_covered, 15000);
}

static enum status execute_once(const void *input, struct error *found)
{
    const struct sketch *sketch = input;
    const struct execute_options options = EXECUTE_DEFAULTS;
    struct execution execution;
    return execute_placement(sketch->graph, sketch->placement, &options, &execution, found);
}

static enum status describe_once(const void *input, struct error *found)
{
    char text[256];
    return execute_describe(input, text, sizeof text, found);
}

static void test_no_memory(void)
{
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read(
        "x:4 i:4 a:4 t:4 y:4 r:4 v:4 all:4", "x i",
        "loop: > r all [i a y r] {body(use: x > t; next: a t > y | t)}; later: > v", "r v all");
    struct execution execution = execute_placed(&sketch, "x@0 i@4 a@8 all@12 t@8 y@16 v@0");
    CU_ASSERT_FALSE(execution.intact);
    fail_each(execute_once, &sketch);
    fail_each(describe_once, &(struct executed){sketch.graph, sketch.placement, &execution});
}

enum { MOST_CHECKS = 8 };

static const struct scene {
    const char *name;
    struct sketch_text text;
    struct {
        const char *offsets, *sentence;
    } check[MOST_CHECKS];
} scenes[] = {
    {"outputs share bytes",
     {"a:4 b:4 c:4 x:4 y:4", "x y", "f: x y > a b c", ""},
     {{"x@0 y@4 a@8 b@12 c@15", "'f' finds bytes of 'b' overwritten by 'c' on path 0"},
      {"x@0 y@3 a@8 b@12 c@16", "'sketch' finds bytes of 'x' overwritten by 'y' on path 0"}}},
    /* What is read through a result is damaged on one path of four only. */
    {"results follow the path",
     {"a:4 b:4 c:4 r:4 s:4 v:4", "a b c",
      "first: > r {then(| a) else(| b)}; second: > s {then(| c) else(| r)}; make: > v", "s v"},
     {{"a@0 b@4 c@8 v@12", "every tensor is intact on every path (4 run)"},
      {"a@0 b@4 c@8 v@4",
       "'sketch' finds bytes of 'b' overwritten by 'v' on path 3: first: else, second: else"},
      {"a@0 b@4 c@8 v@8",
       "'sketch' finds bytes of 'c' overwritten by 'v' on path 0: first: then, second: then"}}},
    {"external result",
     {"a:4 b:4 r:4! v:4", "a b", "if: > r {then(| a) else(| b)}; make: > v", "r v"},
     {{"a@0 b@4 v@0", "every tensor is intact on every path (2 run)"}}},
    {"loop",
     {"x:4 i:4 a:4 t:4 y:4 r:4 v:4 all:4", "x i",
      "loop: > r all [i a y r] {body(use: x > t; next: a t > y | t)}; later: > v", "r v all"},
     {{"x@0 i@4 a@8 all@12 t@4 y@16 v@0", "every tensor is intact on every path (4 run)"},
      {"x@0 i@4 a@4 all@12 t@8 y@16 v@0", "every tensor is intact on every path (4 run)"},
      {"x@0 i@4 a@2 all@12 t@8 y@16 v@20",
       "'use' finds bytes of 'x' overwritten by 'a' on path 1: loop: 1 turns"},
      {"x@0 i@4 a@8 all@12 t@8 y@16 v@0",
       "'next' finds bytes of 'a' overwritten by 't' on path 1: loop: 1 turns"},
      {"x@0 i@4 a@8 all@12 t@20 y@0 v@0",
       "'use' finds bytes of 'x' overwritten by 'y' on path 2: loop: 2 turns"},
      {"x@0 i@4 a@8 all@12 t@12 y@16 v@0",
       "'loop' finds bytes of 'all' overwritten by 't' on path 1: loop: 1 turns"},
      {"x@0 i@4 a@8 all@12 t@4 y@16 v@8",
       "'sketch' finds bytes of 'a' overwritten by 'v' on path 0: loop: 0 turns"}}},
    /* Each turn may take any branch: here only a turn through the second, later followed by one
   through the first, is at fault. */
    {"loop",
     {"x:4 z:4 u:4 t:4 q:4", "x z",
      "loop: > [] {body(choose: > q {first(use: x > u | u) second(make: > t | t) third(| z) "
      "fourth(| z)} | q)}",
      "z"},
     {{"x@0 z@4 u@8 t@12", "every tensor is intact on every path (85 run)"},
      {"x@0 z@4 u@8 t@0", "'use' finds bytes of 'x' overwritten by 't' on path 6: loop: 2 turns, "
                          "choose: second, choose: first"}}},
    /* Arguments that only change places are never damaged; a yield in the place of another argument
   is, whatever the order of moving them. */
    {"moves of carried values",
     {"i:4 j:4 a:4 b:4 y:4 r:4 s:4", "i j", "loop: > r s [i a b r j b y s] {body(add: b > y |)}",
      "r s"},
     {{"i@0 j@4 a@8 b@12 y@16", "every tensor is intact on every path (4 run)"},
      {"i@0 j@4 a@8 b@12 y@8",
       "'loop' finds bytes of 'y' overwritten by 'a' on path 1: loop: 1 turns"}}},
    /* The slice that a turn adds to an output is not yet stored when the arguments are moved. */
    {"slice under an argument",
     {"i:4 a:4 y:4 t:4 r:4 all:8", "i",
      "loop: > r all [i a y r] {body(next: a > y; slice: y > t | t)}", "r all"},
     {{"i@0 a@4 y@8 all@12 t@0", "every tensor is intact on every path (4 run)"},
      {"i@0 a@4 y@8 all@12 t@4",
       "'loop' finds bytes of 't' overwritten by 'a' on path 1: loop: 1 turns"}}},
};

static void test_scenes(void)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        SCOPED(sketch_free) struct sketch sketch = sketch_of(&scenes[i].text);
        for (int c = 0; c < MOST_CHECKS && scenes[i].check[c].offsets; c++)
            expect_execution(&sketch, scenes[i].check[c].offsets, scenes[i].check[c].sentence);
    }
}

static const struct test_case cases[] = {
    {"placements by hand", test_scenes},
    {"operators in a row", test_chain},
    {"bad places", test_bad_places},
    {"number of paths", test_number_of_paths},
    {"a fault leaves paths", test_fault_leaves_paths},
    {"samples", test_samples},
    {"coverage", test_coverage},
    {"one of 2^22 paths", test_one_of_many_paths},
    {"coverage of deep nests", test_coverage_of_nests},
    {"loops in loops", test_nested_loops},
    {"too many pairs of regions to count", test_too_many_pairs},
    {"no memory", test_no_memory},
};

TESTING_MAIN("planning/execute", cases)
