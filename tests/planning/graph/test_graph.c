#include <stdio.h>
#include <string.h>

#include "planning/graph/build.h"
#include "planning/graph/dtype.h"
#include "planning/sketch.h"
#include "support/must.h"
#include "support/testing.h"

static void expect_text(enum status status, const char *text)
{
    CU_ASSERT_EQUAL(status, STATUS_BAD_INPUT);
    if (strcmp(error.text, text) != 0)
        printf("\nfound: %s\nexpected: %s\n", error.text, text);
    CU_ASSERT_STRING_EQUAL(error.text, text);
}

static struct graph *create_graph(void)
{
    struct graph *graph;
    must(graph_create(&graph, "test", &error));
    return graph;
}

static enum status add_bytes(struct graph *graph, const char *name, uint64_t bytes)
{
    uint32_t tensor;
    return graph_add_tensor(graph, &(struct graph_tensor_spec){.name = name, .bytes = bytes},
                            &tensor, &error);
}

static enum status add_shape(struct graph *graph, const uint64_t *dimensions, uint32_t rank)
{
    uint32_t tensor;
    return graph_add_tensor(graph,
                            &(struct graph_tensor_spec){.name = "shaped",
                                                        .has_shape = true,
                                                        .dtype = 0,
                                                        .dimensions = dimensions,
                                                        .rank = rank},
                            &tensor, &error);
}

static void test_refused_tensors(void)
{
    static const uint64_t nine[] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, zero[] = {3, 0};
    static const uint64_t huge[] = {UINT64_C(1) << 32, UINT64_C(1) << 32};
    SCOPED(graph_release) struct graph *graph = create_graph();
    expect_text(add_bytes(graph, "a", 0), "tensor 'a' has 0 bytes, expected at least 1");
    expect_text(add_shape(graph, zero, 2), "tensor 'shaped' has 0 bytes, expected at least 1");
    expect_text(add_shape(graph, nine, 9), "tensor 'shaped' has 9 dimensions, expected at most 8");
    expect_text(add_shape(graph, huge, 2), "tensor 'shaped' is larger than 2^64 bytes");
    CU_ASSERT_EQUAL(add_bytes(graph, "a", 1), STATUS_OK);
    expect_text(add_bytes(graph, "a", 2), "tensor 'a' again, expected each name once");
    CU_ASSERT_EQUAL(add_shape(graph, nine, 8), STATUS_OK);
    CU_ASSERT_EQUAL(graph->tensors, 2);
    CU_ASSERT_EQUAL(graph->tensor[1].bytes, 4);
}

static void test_too_many(void)
{
    SCOPED(graph_release) struct graph *graph = create_graph();
    uint32_t op, tensor = 0;
    CU_ASSERT_EQUAL(add_bytes(graph, "a", 1), STATUS_OK);
    graph->listed = UINT32_MAX;
    expect_text(graph_set_inputs(graph, &tensor, 1, &error), "graph has more than 4294967295 uses");
    graph->operators = UINT32_MAX / 4;
    expect_text(graph_open_operator(graph, "o", "Any", &op, &error),
                "graph has more than 1073741823 operators");
}

static void test_shape_bytes(void)
{
    static const uint64_t three[] = {3, 5};
    uint64_t bytes;
    uint8_t dtype;
    CU_ASSERT_TRUE_FATAL(graph_dtype_find("int4", &dtype));
    CU_ASSERT_TRUE(graph_shape_bytes(dtype, three, 2, &bytes) && bytes == 8);
    CU_ASSERT_TRUE_FATAL(graph_dtype_find("float64", &dtype));
    CU_ASSERT_TRUE(graph_shape_bytes(dtype, three, 2, &bytes) && bytes == 120);
    CU_ASSERT_TRUE(graph_shape_bytes(dtype, NULL, 0, &bytes) && bytes == 8);
    CU_ASSERT_FALSE(graph_dtype_find("float", &dtype));
    CU_ASSERT_STRING_EQUAL(graph_dtype_name(0), "float32");
    for (uint32_t i = 0; i < graph_dtypes(); i++)
        CU_ASSERT_TRUE(graph_dtype_find(graph_dtype_name((uint8_t)i), &dtype) && dtype == i);
}

/* Types and regions may be called as an operator is. */
static void test_names_of_other_kinds(void)
{
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("x:1 a:1 b:1", "x", "Any: x > a; choose: a > b {Any(| a)}", "b");
    CU_ASSERT_TRUE(graph_has_control_flow(sketch.graph));
    CU_ASSERT_STRING_EQUAL(graph_name(sketch.graph), "sketch");
}

/* Pieces of sketches and of messages. The branches: what the second one reads, and what it yields.
   The loop: its outputs, what it carries, and what its body reads. */
#define BRANCHES(used, yielded)                                                                    \
    "x:1 r:1 t:1 e:1 y:1", "x",                                                                    \
        "choose: x > r {then(one: x > t | t) else(two: " used " > e | " yielded ")}; "
#define LOOP(outputs, carried, used)                                                               \
    "loop: > " outputs " [" carried "] {body(turn: " used " > v |)}"
#define NOT_YET ", expected operators in execution order and no cycle"
#define IN_CHOOSE ", which is only known inside a region of 'choose'"

/* Sketches that are wrong as a whole: graph_finish says why, and names the operator at fault, ""
   for none. */
static const struct refusal {
    const char *tensors, *inputs, *operators, *output, *op, *text;
} refusals[] = {
    {"x:1 a:1 b:1", "x", "same: x > a; same: a > b", "b", "same",
     "operator 'same' again, expected each name once"},
    {"x:1 a:1", "x", "one: x > a; two: x > a", "a", "two",
     "operator 'two' writes 'a', which 'one' writes already, expected one producer"},
    {"a:1", "", "one: > a a", "a", "one",
     "operator 'one' writes 'a', which 'one' writes already, expected one producer"},
    {"x:1", "x", "one: x > x", "x", "one",
     "operator 'one' writes 'x', which is an input of the graph"},
    {"x:1 a:1 lost:1 w:1!", "x", "one: x w > a", "a", "",
     "tensor 'lost' is written by no operator, expected one or memory \"external\""},
    {"a:1 b:1", "", "one: b > a; two: a > b", "b", "one",
     "'one' uses 'b' before 'two' has produced it" NOT_YET},
    {"a:1", "", "one: a > a", "a", "one", "'one' uses 'a' before 'one' has produced it" NOT_YET},

    /* An operator's own result is not there yet in its branches. */
    {"x:1 r:1 t:1", "x", "choose: x > r {then(inside: r > t | t)}", "r", "inside",
     "'inside' uses 'r' before 'choose' has produced it" NOT_YET},

    /* What a branch makes is known in that branch only. */
    {BRANCHES("t", "e") "last: r > y", "y", "two", "'two' uses 't'" IN_CHOOSE},
    {BRANCHES("x", "t") "last: r > y", "y", "choose", "'choose' uses 't'" IN_CHOOSE},
    {BRANCHES("x", "e") "last: t > y", "y", "last", "'last' uses 't'" IN_CHOOSE},
    {BRANCHES("x", "e") "last: r > y", "t", "", "'sketch' uses 't'" IN_CHOOSE},
    {BRANCHES("x", "") "last: r > y", "y", "choose",
     "region 'else' of 'choose' yields 0 tensors, expected 1, one for each output"},
    {BRANCHES("x", "e x") "last: r > y", "y", "choose",
     "region 'else' of 'choose' yields 2 tensors, expected 1, one for each output"},
    {BRANCHES("x", "y") "last: r > y", "y", "choose",
     "'choose' uses 'y' before 'last' has produced it" NOT_YET},

    {"i:3 g:2 v:2 r:2", "i", LOOP("r", "i g v r", "g"), "r", "loop",
     "'i' has 3 bytes, expected 2 as the carried argument 'g'"},
    {"i:2 g:2 v:1 r:2", "i", LOOP("r", "i g v r", "g"), "r", "loop",
     "'v' has 1 bytes, expected 2 as the carried argument 'g'"},
    {"i:2 g:2 v:2 r:5", "i", LOOP("r", "i g v r", "g"), "r", "loop",
     "'r' has 5 bytes, expected 2 as the carried argument 'g'"},
    {"i:1 g:1 v:1 r:1 o:1", "i", LOOP("r", "i g v o", "g") "; other: i > o", "r", "loop",
     "carried result 'o' is no output of 'loop'"},
    {"i:1 g:1 h:1 v:1 r:1", "i", LOOP("r", "i g v r i h v r", "g"), "r", "loop",
     "'r' is the result of two carried values of 'loop'"},
    {"i:1 g:1! v:1 r:1", "i", LOOP("r", "i g v r", "g"), "r", "loop",
     "carried argument 'g' is external and its result 'r' is not"},
    {"i:1 g:1 v:1 r:1 s:1", "i", LOOP("r s", "i g v r i g v s", "g"), "r", "loop",
     "operator 'loop' writes 'g', which 'loop' writes already, expected one producer"},
    {"i:1 v:1 r:1", "i", LOOP("r", "i i v r", "i"), "r", "loop",
     "operator 'loop' writes 'i', which is an input of the graph"},
    {"i:1 g:1 v:1 r:1 late:1", "i", LOOP("r", "late g v r", "g") "; after: r > late", "r", "loop",
     "'loop' uses 'late' before 'after' has produced it" NOT_YET},
    {"i:1 g:1 v:1 r:1 late:1", "i", LOOP("r", "i g late r", "g") "; after: r > late", "r", "loop",
     "'loop' uses 'late' before 'after' has produced it" NOT_YET},

    /* The argument is known in the body and nowhere else, also where the loop is in no region. */
    {"i:1 g:1 v:1 r:1 y:1", "i", LOOP("r", "i g v r", "g") "; after: g > y", "y", "after",
     "'after' uses 'g', which is only known inside a region of 'loop'"},
    {"i:1 g:1 v:1 r:1", "i", LOOP("r", "i g v r", "g"), "g", "",
     "'sketch' uses 'g', which is only known inside a region of 'loop'"},
    {"i:1 g:1 v:1 r:1 s:1 y:1", "i",
     "choose: i > y {then(" LOOP("r", "i g v r", "g") "; after: g > s | s)}", "y", "after",
     "'after' uses 'g', which is only known inside a region of 'loop'"},
    {"i:1", "i", "loop: i > [] {}", "i", "loop", "loop 'loop' has no region, expected its body"},
};

static void test_refusals(void)
{
    for (const struct refusal *row = refusals; row < refusals + sizeof refusals / sizeof *refusals;
         row++) {
        SCOPED(sketch_free)
        struct sketch sketch = sketch_begin(row->tensors, row->inputs, "%s", row->operators);
        uint32_t output = sketch_find(&sketch, row->output), fault = 12345;
        expect_text(graph_finish(sketch.graph, &output, 1, &fault, &error), row->text);
        CU_ASSERT_EQUAL(fault == GRAPH_NONE, !*row->op);
        if (*row->op) {
            CU_ASSERT_FATAL(fault < sketch.graph->operators);
            CU_ASSERT_STRING_EQUAL(graph_label(sketch.graph, sketch.graph->op[fault].name),
                                   row->op);
        }
    }
}

/* An external argument of an external result is fine, and so is a body that hands out what is not
   carried. */
static void test_loops(void)
{
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read("i:1 g:1! v:1 r:1!", "i", LOOP("r", "i g v r", "g"), "r");
    sketch_free(&sketch);
    sketch = sketch_read("i:1 v:1 w:1 o:1", "i", "loop: i > o [] {body(turn: i > v w | v)}", "o");
}

static enum status finish_inplace(uint32_t input, uint32_t output)
{
    SCOPED(graph_release) struct graph *graph = create_graph();
    uint32_t op, fault, tensors[] = {0, 1, 2}, pair[] = {0, 0, input, output};
    CU_ASSERT_EQUAL_FATAL(add_bytes(graph, "x", 1), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(add_bytes(graph, "y", 1), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(add_bytes(graph, "z", 1), STATUS_OK);
    must(graph_set_inputs(graph, tensors, 2, &error));
    must(graph_open_operator(graph, "add", "Add", &op, &error));
    must(graph_operator_inputs(graph, tensors, 2, &error));
    must(graph_operator_outputs(graph, tensors + 2, 1, &error));
    must(graph_operator_inplace(graph, pair, 2, &error));
    graph_close_operator(graph);
    enum status status = graph_finish(graph, tensors + 2, 1, &fault, &error);
    CU_ASSERT_EQUAL(fault, status ? 0 : GRAPH_NONE);
    return status;
}

static void test_inplace(void)
{
    CU_ASSERT_EQUAL(finish_inplace(1, 0), STATUS_OK);
    expect_text(finish_inplace(2, 0), "in-place pair [2, 0] of 'add', expected less than [2, 1]");
    expect_text(finish_inplace(0, 1), "in-place pair [0, 1] of 'add', expected less than [2, 1]");
}

/* The numbers in the header's picture. */
static void test_numbering(void)
{
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("x:1 c:1 t:1 e:1 r:1 y:1", "x",
                    "conv: x > c; if: c > r {then(relu: c > t | t) else(pool: c > e | e)}; "
                    "dense: r > y",
                    "y");
    const struct graph *graph = sketch.graph;
    CU_ASSERT_EQUAL(graph->operators, 5);
    CU_ASSERT_EQUAL(graph->regions, 3);
    CU_ASSERT_EQUAL(graph->op[1].end, 4);
    CU_ASSERT_EQUAL(graph->op[1].first_region, 1);
    CU_ASSERT_EQUAL(graph->region[0].end, 5);
    CU_ASSERT_TRUE(graph->region[1].begin == 2 && graph->region[1].end == 3);
    CU_ASSERT_TRUE(graph->region[2].begin == 3 && graph->region[2].end == 4);
    CU_ASSERT_TRUE(graph->region[1].next == 2 && graph->region[2].next == GRAPH_NONE);
    CU_ASSERT_TRUE(graph->region[2].owner == 1 && graph->region[0].owner == GRAPH_NONE);
    CU_ASSERT_EQUAL(graph->tensor[sketch_find(&sketch, "x")].producer, GRAPH_NONE);
    CU_ASSERT_EQUAL(graph->tensor[sketch_find(&sketch, "e")].producer, 3);
    CU_ASSERT_EQUAL(graph->tensor[sketch_find(&sketch, "r")].producer, 1);
}

static const struct test_case cases[] = {
    {"refused tensors", test_refused_tensors},
    {"too many uses and operators", test_too_many},
    {"bytes of shapes", test_shape_bytes},
    {"names of other kinds", test_names_of_other_kinds},
    {"graphs that are refused", test_refusals},
    {"loops", test_loops},
    {"in-place pairs", test_inplace},
    {"numbers of operators and regions", test_numbering},
};

TESTING_MAIN("planning/graph", cases)
