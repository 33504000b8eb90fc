#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "planning/execute/execute.h"
#include "planning/sketch.h"
#include "support/testing.h"

static struct error error;

static struct execution execute_placed(struct sketch *sketch, const char *offsets)
{
    struct execution execution;
    const struct execute_options options = EXECUTE_DEFAULTS;
    sketch_place(sketch, offsets);
    CU_ASSERT_EQUAL_FATAL(
        execute_placement(sketch->graph, sketch->placement, &options, &execution, &error),
        STATUS_OK);
    return execution;
}

/* Says the same, in these words. */
static void expect_execution(struct sketch *sketch, const char *offsets, const char *sentence)
{
    struct execution execution = execute_placed(sketch, offsets);
    char text[256];
    CU_ASSERT_EQUAL(execute_describe(sketch->graph, &execution, text, sizeof text, &error),
                    STATUS_OK);
    if (strcmp(text, sentence) != 0)
        printf("\n%s: %s\n", offsets, text);
    CU_ASSERT_STRING_EQUAL(text, sentence);
}

static void test_chain(void)
{
    struct sketch sketch = sketch_start("a:4 b:4 c:4 d:4 w:4!");
    sketch_inputs(&sketch, "a");
    sketch_plain(&sketch, "f", "a w", "b");
    sketch_plain(&sketch, "g", "b", "c");
    sketch_plain(&sketch, "h", "c", "d");
    sketch_finish(&sketch, "b d");
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
    sketch_free(&sketch);
}

static void test_outputs_share_bytes(void)
{
    struct sketch sketch = sketch_start("a:4 b:4 c:4 x:4 y:4");
    sketch_inputs(&sketch, "x y");
    sketch_plain(&sketch, "f", "x y", "a b c");
    sketch_finish(&sketch, "");
    expect_execution(&sketch, "x@0 y@4 a@8 b@12 c@15",
                     "'f' finds bytes of 'b' overwritten by 'c' on path 0");
    expect_execution(&sketch, "x@0 y@3 a@8 b@12 c@16",
                     "'sketch' finds bytes of 'x' overwritten by 'y' on path 0");
    sketch_free(&sketch);
}

static void test_bad_places(void)
{
    struct sketch sketch = sketch_start("a:4 b:4");
    struct execution execution;
    const struct execute_options options = EXECUTE_DEFAULTS;
    sketch_inputs(&sketch, "a");
    sketch_plain(&sketch, "f", "a", "b");
    sketch_finish(&sketch, "b");
    expect_execution(&sketch, "a@0", "tensor 'b' has no offset");
    expect_execution(&sketch, "a@0 b@18446744073709551613", "tensor 'b' ends beyond 2^64 bytes");
    sketch.placement->tensors = 1;
    CU_ASSERT_EQUAL(execute_placement(sketch.graph, sketch.placement, &options, &execution, &error),
                    STATUS_BAD_INPUT);
    sketch_free(&sketch);
}

static void add_choice(struct sketch *sketch, const char *name, const char *result,
                       const char *first, const char *second)
{
    sketch_if(sketch, name, "", result);
    sketch_region(sketch, "then");
    sketch_yield(sketch, first);
    sketch_region(sketch, "else");
    sketch_yield(sketch, second);
    sketch_close(sketch);
}

/* What is read through a result is damaged on one path of four only. */
static void test_results_follow_the_path(void)
{
    struct sketch sketch = sketch_start("a:4 b:4 c:4 r:4 s:4 v:4");
    sketch_inputs(&sketch, "a b c");
    add_choice(&sketch, "first", "r", "a", "b");
    add_choice(&sketch, "second", "s", "c", "r");
    sketch_plain(&sketch, "make", "", "v");
    sketch_finish(&sketch, "s v");
    expect_execution(&sketch, "a@0 b@4 c@8 v@12", "every tensor is intact on every path (4 run)");
    expect_execution(&sketch, "a@0 b@4 c@8 v@4",
                     "'sketch' finds bytes of 'b' overwritten by 'v' on path 3: first: else, "
                     "second: else");
    expect_execution(&sketch, "a@0 b@4 c@8 v@8",
                     "'sketch' finds bytes of 'c' overwritten by 'v' on path 0: first: then, "
                     "second: then");
    sketch_free(&sketch);
}

static void test_external_result(void)
{
    struct sketch sketch = sketch_start("a:4 b:4 r:4! v:4");
    sketch_inputs(&sketch, "a b");
    add_choice(&sketch, "if", "r", "a", "b");
    sketch_plain(&sketch, "make", "", "v");
    sketch_finish(&sketch, "r v");
    expect_execution(&sketch, "a@0 b@4 v@0", "every tensor is intact on every path (2 run)");
    sketch_free(&sketch);
}

/* Three ways through the nested Ifs, times 4 x 2 through the loop. */
static void test_number_of_paths(void)
{
    struct sketch sketch = sketch_start("x:4 r:4 s:4 q:4");
    struct execution execution;
    struct execute_options options = {
        .most_paths = 24, .most_sampled_operators = 1000000, .seed = 1};
    sketch_inputs(&sketch, "x");
    sketch_if(&sketch, "outer", "", "r");
    sketch_region(&sketch, "then");
    add_choice(&sketch, "inner", "s", "x", "x");
    sketch_yield(&sketch, "s");
    sketch_region(&sketch, "else");
    sketch_yield(&sketch, "x");
    sketch_close(&sketch);
    sketch_loop(&sketch, "loop", "", "", "");
    sketch_region(&sketch, "body");
    add_choice(&sketch, "choose", "q", "x", "r");
    sketch_yield(&sketch, "q");
    sketch_close(&sketch);
    sketch_finish(&sketch, "r");
    sketch_place(&sketch, "x@0");
    CU_ASSERT_EQUAL(execute_placement(sketch.graph, sketch.placement, &options, &execution, &error),
                    STATUS_OK);
    CU_ASSERT(execution.intact && execution.all_paths);
    CU_ASSERT_EQUAL(execution.paths_run, 24);
    options.most_paths = 23;
    CU_ASSERT_EQUAL(execute_placement(sketch.graph, sketch.placement, &options, &execution, &error),
                    STATUS_OK);
    CU_ASSERT(execution.intact && !execution.all_paths);
    CU_ASSERT_EQUAL(execution.paths_run, 23);
    sketch_free(&sketch);
}

/* The first of two paths is the last that is run: t is made over z. */
static void test_fault_leaves_paths(void)
{
    struct sketch sketch = sketch_start("x:4 z:4 t:4 r:4");
    sketch_inputs(&sketch, "x z");
    sketch_if(&sketch, "choose", "", "r");
    sketch_region(&sketch, "then");
    sketch_plain(&sketch, "make", "x", "t");
    sketch_yield(&sketch, "x");
    sketch_region(&sketch, "else");
    sketch_yield(&sketch, "z");
    sketch_close(&sketch);
    sketch_finish(&sketch, "r z");
    struct execution execution = execute_placed(&sketch, "x@0 z@4 t@8");
    CU_ASSERT(execution.intact && execution.all_paths && execution.paths_run == 2);
    execution = execute_placed(&sketch, "x@0 z@4 t@4");
    CU_ASSERT(!execution.intact && !execution.all_paths && execution.paths_run == 1);
    sketch_free(&sketch);
}

/* More paths than 64 bits count, and the one fault in the last choice. */
static void test_samples(void)
{
    char name[16], text[4096];
    struct sketch sketch = sketch_start("x:4 z:4 t:4 r:4");
    sketch_inputs(&sketch, "x z");
    for (int i = 0; i < 70; i++) {
        snprintf(name, sizeof name, "if%d", i);
        add_choice(&sketch, name, "", "", "");
    }
    sketch_if(&sketch, "last", "", "r");
    sketch_region(&sketch, "then");
    sketch_yield(&sketch, "z");
    sketch_region(&sketch, "else");
    sketch_plain(&sketch, "make", "x", "t");
    sketch_yield(&sketch, "x");
    sketch_close(&sketch);
    sketch_finish(&sketch, "r z");
    struct execution execution = execute_placed(&sketch, "x@0 z@4 t@8");
    CU_ASSERT(execution.intact && !execution.all_paths);
    CU_ASSERT_EQUAL(execution.paths_run, 4096);
    execution = execute_placed(&sketch, "x@0 z@4 t@4");
    CU_ASSERT_FALSE(execution.intact);
    CU_ASSERT_EQUAL(execute_describe(sketch.graph, &execution, text, sizeof text, &error),
                    STATUS_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "'z' overwritten by 't'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "last: else"));
    struct execution again = execute_placed(&sketch, "x@0 z@4 t@4");
    CU_ASSERT_EQUAL(again.path, execution.path);
    sketch_free(&sketch);
}

/* Far more paths than are run, and yet all that they can visit is visited: both branches of 24 Ifs
   in a row, and those of one in a loop in one run of it. */
static void test_coverage(void)
{
    char name[16];
    struct sketch sketch = sketch_start("x:4");
    sketch_inputs(&sketch, "x");
    for (int i = 0; i < 24; i++) {
        snprintf(name, sizeof name, "if%d", i);
        add_choice(&sketch, name, "", "", "");
    }
    sketch_loop(&sketch, "loop", "", "", "");
    sketch_region(&sketch, "body");
    add_choice(&sketch, "choose", "", "", "");
    sketch_yield(&sketch, "");
    sketch_close(&sketch);
    sketch_finish(&sketch, "x");
    struct execution execution = execute_placed(&sketch, "x@0");
    const struct execute_coverage *coverage = &execution.coverage;
    CU_ASSERT(execution.intact && !execution.all_paths);
    CU_ASSERT(coverage->regions == 51 && coverage->regions_covered == 51);
    CU_ASSERT(coverage->turns == 4 && coverage->turns_covered == 4);
    CU_ASSERT_TRUE(coverage->pairs_counted);
    CU_ASSERT(coverage->pairs == 51 * 50 / 2 - 24 && coverage->pairs_covered == coverage->pairs);
    sketch_free(&sketch);
}

static void add_nest(struct sketch *sketch, int depth)
{
    char name[16];
    if (!depth)
        return;
    snprintf(name, sizeof name, "if%d", (int)sketch->graph->operators);
    sketch_if(sketch, name, "", "");
    sketch_region(sketch, "deeper");
    add_nest(sketch, depth - 1);
    sketch_yield(sketch, "");
    sketch_region(sketch, "out");
    sketch_yield(sketch, "");
    sketch_close(sketch);
}

/* A random path would be in the innermost branch of each once in 2^30 times. */
static void test_coverage_of_nests(void)
{
    struct sketch sketch = sketch_start("x:4");
    struct execution execution;
    const struct execute_options options = {.most_paths = 800, .seed = 1};
    sketch_inputs(&sketch, "x");
    add_nest(&sketch, 15);
    add_nest(&sketch, 15);
    add_nest(&sketch, 15);
    sketch_finish(&sketch, "x");
    sketch_place(&sketch, "x@0");
    CU_ASSERT_EQUAL(execute_placement(sketch.graph, sketch.placement, &options, &execution, &error),
                    STATUS_OK);
    CU_ASSERT_EQUAL(execution.coverage.regions_covered, 90);
    CU_ASSERT(execution.paths_run >= 16 && execution.paths_run <= 32);
    sketch_free(&sketch);
}

static struct sketch sketch_loop_of_two(void)
{
    struct sketch sketch = sketch_start("x:4 i:4 a:4 t:4 y:4 r:4 v:4 all:4");
    sketch_inputs(&sketch, "x i");
    sketch_loop(&sketch, "loop", "", "r all", "i a y r");
    sketch_region(&sketch, "body");
    sketch_plain(&sketch, "use", "x", "t");
    sketch_plain(&sketch, "next", "a t", "y");
    sketch_yield(&sketch, "t");
    sketch_close(&sketch);
    sketch_plain(&sketch, "later", "", "v");
    sketch_finish(&sketch, "r v all");
    return sketch;
}

static void test_loop(void)
{
    struct sketch sketch = sketch_loop_of_two();
    expect_execution(&sketch, "x@0 i@4 a@8 all@12 t@4 y@16 v@0",
                     "every tensor is intact on every path (4 run)");
    expect_execution(&sketch, "x@0 i@4 a@4 all@12 t@8 y@16 v@0",
                     "'loop' finds bytes of 'i' overwritten by 'a' on path 0: loop: 0 turns");
    expect_execution(&sketch, "x@0 i@4 a@8 all@12 t@8 y@16 v@0",
                     "'next' finds bytes of 'a' overwritten by 't' on path 1: loop: 1 turns");
    expect_execution(&sketch, "x@0 i@4 a@8 all@12 t@20 y@0 v@0",
                     "'use' finds bytes of 'x' overwritten by 'y' on path 2: loop: 2 turns");
    expect_execution(&sketch, "x@0 i@4 a@8 all@12 t@12 y@16 v@0",
                     "'loop' finds bytes of 'all' overwritten by 't' on path 1: loop: 1 turns");
    expect_execution(&sketch, "x@0 i@4 a@8 all@12 t@4 y@16 v@8",
                     "'sketch' finds bytes of 'a' overwritten by 'v' on path 0: loop: 0 turns");
    sketch_free(&sketch);
}

/* Arguments that only change places are never damaged; a yield in the place of another argument is,
   whatever the order of moving them. */
static void test_moves_of_carried_values(void)
{
    struct sketch sketch = sketch_start("i:4 j:4 a:4 b:4 y:4 r:4 s:4");
    sketch_inputs(&sketch, "i j");
    sketch_loop(&sketch, "loop", "", "r s", "i a b r j b y s");
    sketch_region(&sketch, "body");
    sketch_plain(&sketch, "add", "b", "y");
    sketch_yield(&sketch, "");
    sketch_close(&sketch);
    sketch_finish(&sketch, "r s");
    expect_execution(&sketch, "i@0 j@4 a@8 b@12 y@16",
                     "every tensor is intact on every path (4 run)");
    expect_execution(&sketch, "i@0 j@4 a@8 b@12 y@8",
                     "'loop' finds bytes of 'y' overwritten by 'a' on path 1: loop: 1 turns");
    sketch_free(&sketch);
}

/* The slice that a turn adds to an output is not yet stored when the arguments are moved. */
static void test_slice_under_argument(void)
{
    struct sketch sketch = sketch_start("i:4 a:4 y:4 t:4 r:4 all:8");
    sketch_inputs(&sketch, "i");
    sketch_loop(&sketch, "loop", "", "r all", "i a y r");
    sketch_region(&sketch, "body");
    sketch_plain(&sketch, "next", "a", "y");
    sketch_plain(&sketch, "slice", "y", "t");
    sketch_yield(&sketch, "t");
    sketch_close(&sketch);
    sketch_finish(&sketch, "r all");
    expect_execution(&sketch, "i@0 a@4 y@8 all@12 t@0",
                     "every tensor is intact on every path (4 run)");
    expect_execution(&sketch, "i@0 a@4 y@8 all@12 t@4",
                     "'loop' finds bytes of 't' overwritten by 'a' on path 1: loop: 1 turns");
    sketch_free(&sketch);
}

static void test_no_memory(void)
{
    struct sketch sketch = sketch_loop_of_two();
    struct execution execution;
    const struct execute_options options = EXECUTE_DEFAULTS;
    uint64_t blocks = memory_live_blocks();
    uint64_t allowed = 0;
    enum status status = STATUS_INTERNAL;
    char text[256];
    sketch_place(&sketch, "x@0 i@4 a@8 all@12 t@8 y@16 v@0");
    while (status && allowed < 100) {
        memory_fail_after(allowed++);
        status = execute_placement(sketch.graph, sketch.placement, &options, &execution, &error);
        CU_ASSERT_EQUAL(memory_live_blocks(), blocks);
    }
    CU_ASSERT_EQUAL(status, STATUS_OK);
    CU_ASSERT(allowed > 5);
    for (allowed = 0, status = STATUS_INTERNAL; status && allowed < 100;) {
        memory_fail_after(allowed++);
        status = execute_describe(sketch.graph, &execution, text, sizeof text, &error);
        CU_ASSERT_EQUAL(memory_live_blocks(), blocks);
    }
    memory_fail_after(UINT64_MAX);
    CU_ASSERT_EQUAL(status, STATUS_OK);
    sketch_free(&sketch);
}

static const struct test_case cases[] = {
    {"operators in a row", test_chain},
    {"outputs share bytes", test_outputs_share_bytes},
    {"bad places", test_bad_places},
    {"results follow the path", test_results_follow_the_path},
    {"external result", test_external_result},
    {"number of paths", test_number_of_paths},
    {"a fault leaves paths", test_fault_leaves_paths},
    {"samples", test_samples},
    {"coverage", test_coverage},
    {"coverage of deep nests", test_coverage_of_nests},
    {"loop", test_loop},
    {"moves of carried values", test_moves_of_carried_values},
    {"slice under an argument", test_slice_under_argument},
    {"no memory", test_no_memory},
};

TESTING_MAIN("planning/execute", cases)
