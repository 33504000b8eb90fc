#include "datasets/memplan_json/graph.h"
#include "datasets/onnx/sketch.h"
#include "datasets/reading.h"
#include "support/fail_each.h"

enum {
    FLOAT = ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT,
    INT64 = ONNX__TENSOR_PROTO__DATA_TYPE__INT64,
    BOOL = ONNX__TENSOR_PROTO__DATA_TYPE__BOOL,
};

static struct graph *read_sketch(struct sketch *sketch, const struct onnx_options *options)
{
    struct text text = sketch_pack(sketch);
    struct graph *graph = NULL;
    struct error error = ERROR_NONE;
    if (onnx_read(&text, "test.file", options, &graph, &error))
        printf("\n    %s\n", error.text);
    text_free(&text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(graph);
    return graph;
}

static void check_refused(struct sketch *sketch, const struct onnx_options *options,
                          enum status expected, const char *part)
{
    SCOPED(text_free) struct text text = sketch_pack(sketch);
    struct graph *graph = NULL;
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL(onnx_read(&text, "test.file", options, &graph, &error), expected);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, part));
    if (!strstr(error.text, part))
        printf("\n    wanted '%s', got '%s'\n", part, error.text);
}

static uint64_t get_bytes(const struct graph *graph, const char *name)
{
    uint32_t tensor = names_find(&graph->tensor_names, name);
    CU_ASSERT_FATAL(tensor != NAMES_NONE);
    return graph->tensor[tensor].bytes;
}

static const char *get_type(const struct graph *graph, uint32_t op)
{
    CU_ASSERT_FATAL(op < graph->operators);
    return graph_label(graph, graph->op[op].type);
}

static void test_plain(void)
{
    struct sketch *sketch = sketch_create();
    sketch_input(sketch, "x", FLOAT, "1 3 8 8");
    sketch_floats(sketch, "w", "4 3 3 3");
    sketch_node(sketch, "Conv", "x w -", "c");
    sketch_node(sketch, "Relu", "c", "y");
    sketch_node(sketch, "Relu", "x", "unread");
    sketch_output(sketch, "y", FLOAT, NULL);
    SCOPED(graph_release) struct graph *graph = read_sketch(sketch, NULL);
    CU_ASSERT_EQUAL_FATAL(graph->operators, 2);
    CU_ASSERT_EQUAL(graph->tensors, 3);
    CU_ASSERT_EQUAL(get_bytes(graph, "c"), 4 * 4 * 6 * 6);
    CU_ASSERT_EQUAL(graph->op[0].inputs.count, 1);
    CU_ASSERT_EQUAL(graph->op[0].weights.count, 1);
    CU_ASSERT_EQUAL(graph->weight[0].bytes, 4 * 3 * 3 * 3 * 4);
    CU_ASSERT_EQUAL(graph->op[0].flops, 2 * 4 * 6 * 6 * 27);
    CU_ASSERT_EQUAL(graph->op[0].inplace.count, 0);
    CU_ASSERT_EQUAL(graph->op[1].inplace.count, 2);
}

/* A shape that is computed, from an input that is bound. */
static struct sketch *sketch_shapes(void)
{
    static const int64_t one[] = {1}, rest[] = {-1};
    struct sketch *sketch = sketch_create();
    sketch_input(sketch, "x", FLOAT, "n 4");
    sketch_integers(sketch, "one", 1, one);
    sketch_integers(sketch, "rest", 1, rest);
    sketch_node(sketch, "Shape", "x", "shape");
    sketch_node(sketch, "Gather", "shape one", "width");
    sketch_node(sketch, "Mul", "width width", "square");
    sketch_node(sketch, "Concat", "rest square", "target");
    sketch_integer(sketch->node[3], "axis", 0);
    sketch_node(sketch, "Reshape", "x target", "y");
    sketch_output(sketch, "y", FLOAT, "a b");
    return sketch;
}

static void test_bind(void)
{
    static const char *const bind[] = {"x=8,4"}, *const wide[] = {"x=8,5"},
                             *const other[] = {"z=1"}, *const none[] = {"x"};
    struct onnx_options options = {bind, 1, 0};
    struct graph *graph = read_sketch(sketch_shapes(), &options);
    CU_ASSERT_EQUAL(graph->operators, 1);
    CU_ASSERT_STRING_EQUAL(get_type(graph, 0), "Reshape");
    CU_ASSERT_EQUAL(graph->op[0].weights.count, 0);
    uint32_t y = names_find(&graph->tensor_names, "y");
    CU_ASSERT_EQUAL(graph->tensor[y].dimension[0], 2);
    CU_ASSERT_EQUAL(graph->tensor[y].dimension[1], 16);
    graph_free(graph);
    options = (struct onnx_options){NULL, 0, 4};
    graph = read_sketch(sketch_shapes(), &options);
    CU_ASSERT_EQUAL(get_bytes(graph, "x"), 64);
    graph_free(graph);
    check_refused(sketch_shapes(), NULL, STATUS_BAD_INPUT, "dimension 0 of 'x' is not known");
    options = (struct onnx_options){wide, 1, 0};
    check_refused(sketch_shapes(), &options, STATUS_USAGE, "the file has 4");
    options.bind = other;
    check_refused(sketch_shapes(), &options, STATUS_USAGE, "expected one of: x");
    options.bind = none;
    check_refused(sketch_shapes(), &options, STATUS_USAGE, "expected NAME=");
}

static struct sketch *sketch_if(const char *condition)
{
    struct sketch *sketch = sketch_create(), *then = sketch_create(), *other = sketch_create();
    sketch_node(then, "Relu", "x", "t");
    sketch_output(then, "t", FLOAT, NULL);
    sketch_node(other, "ReduceSum", "x", "t");
    sketch_output(other, "t", FLOAT, NULL);
    sketch_input(sketch, "x", FLOAT, "2 4");
    sketch_input(sketch, "flag", BOOL, "");
    Onnx__NodeProto *node;
    sketch_node(sketch, "Size", "x", "size");
    sketch_node(sketch, "Equal", "size size", "same");
    node = sketch_node(sketch, "If", condition, "y");
    sketch_graph(node, "then_branch", then);
    sketch_graph(node, "else_branch", other);
    sketch_node(sketch, "Identity", "y", "z");
    sketch_output(sketch, "z", FLOAT, "2 4");
    return sketch;
}

static void test_if(void)
{
    SCOPED(graph_release) struct graph *graph = read_sketch(sketch_if("flag"), NULL);
    CU_ASSERT_EQUAL_FATAL(graph->operators, 4);
    CU_ASSERT_EQUAL_FATAL(graph->regions, 3);
    CU_ASSERT_EQUAL(get_bytes(graph, "y"), 32);
    CU_ASSERT_EQUAL(get_bytes(graph, "t"), 32);
    CU_ASSERT_EQUAL(get_bytes(graph, "t_2"), 4);
    CU_ASSERT_EQUAL(graph->op[0].inputs.count, 1);
    graph_free(graph);
    graph = read_sketch(sketch_if("same"), NULL);
    CU_ASSERT_EQUAL_FATAL(graph->operators, 2);
    CU_ASSERT_EQUAL(graph->regions, 1);
    CU_ASSERT_STRING_EQUAL(get_type(graph, 0), "Relu");
}

static struct sketch *sketch_loop(const char *yield)
{
    static const int64_t turns[] = {5};
    struct sketch *sketch = sketch_create(), *body = sketch_create();
    sketch_input(body, "i", INT64, "");
    sketch_input(body, "go", BOOL, "");
    sketch_input(body, "x", FLOAT, NULL);
    sketch_node(body, "Add", "x outer", "next");
    sketch_node(body, "Concat", "next next", "long");
    sketch_integer(body->node[1], "axis", 0);
    sketch_node(body, "Identity", "go", "on");
    sketch_output(body, "on", BOOL, "");
    sketch_output(body, yield, FLOAT, NULL);
    sketch_output(body, "next", FLOAT, NULL);
    sketch_input(sketch, "x", FLOAT, "4");
    sketch_input(sketch, "outer", FLOAT, "4");
    sketch_input(sketch, "go", BOOL, "");
    sketch_integers(sketch, "turns", 1, turns);
    Onnx__NodeProto *node = sketch_node(sketch, "Loop", "turns go x", "last all");
    sketch_graph(node, "body", body);
    sketch_output(sketch, "last", FLOAT, NULL);
    sketch_output(sketch, "all", FLOAT, NULL);
    return sketch;
}

static void test_loop(void)
{
    const struct onnx_options options = {NULL, 0, 5};
    struct graph *graph = read_sketch(sketch_loop("next"), &options);
    CU_ASSERT_STRING_EQUAL(get_type(graph, 0), "Loop");
    CU_ASSERT(graph->op[0].loop);
    CU_ASSERT_EQUAL(graph->op[0].trip_count, -1);
    CU_ASSERT_EQUAL_FATAL(graph->op[0].carried.count, 2);
    CU_ASSERT_EQUAL(graph->region[1].yields.count, 1);
    CU_ASSERT_EQUAL(get_bytes(graph, "last"), 16);
    CU_ASSERT_EQUAL(get_bytes(graph, "all"), 5 * 16);
    CU_ASSERT_EQUAL(get_bytes(graph, "x_2"), 16);
    graph_free(graph);
    check_refused(sketch_loop("long"), &options, STATUS_BAD_INPUT, "'long' has 32 bytes");
}

static void test_scan(void)
{
    struct sketch *sketch = sketch_create(), *body = sketch_create();
    sketch_input(body, "sum", FLOAT, NULL);
    sketch_input(body, "item", FLOAT, NULL);
    sketch_node(body, "Add", "sum item", "next");
    sketch_output(body, "next", FLOAT, NULL);
    sketch_output(body, "item", FLOAT, NULL);
    sketch_input(sketch, "zero", FLOAT, "3");
    sketch_input(sketch, "list", FLOAT, "7 3");
    Onnx__NodeProto *node = sketch_node(sketch, "Scan", "zero list", "total copies");
    sketch_graph(node, "body", body);
    sketch_integer(node, "num_scan_inputs", 1);
    sketch_output(sketch, "total", FLOAT, NULL);
    sketch_output(sketch, "copies", FLOAT, NULL);
    SCOPED(graph_release) struct graph *graph = read_sketch(sketch, NULL);
    CU_ASSERT_EQUAL(graph->op[0].trip_count, 7);
    CU_ASSERT_STRING_EQUAL(get_type(graph, 1), "ScanSlice");
    CU_ASSERT_EQUAL(get_bytes(graph, "item"), 12);
    CU_ASSERT_EQUAL(get_bytes(graph, "copies"), 84);
}

static void test_function(void)
{
    struct sketch *sketch = sketch_create();
    Onnx__FunctionProto function = ONNX__FUNCTION_PROTO__INIT;
    char name[] = "Twice", domain[] = "own", in[] = "a", out[] = "b";
    char *inputs[] = {in}, *outputs[] = {out};
    Onnx__NodeProto *nodes[] = {sketch_make_node("Add", "a a", "middle"),
                                sketch_make_node("Relu", "middle", "b")};
    function.name = name;
    function.domain = domain;
    function.n_input = function.n_output = 1;
    function.input = inputs;
    function.output = outputs;
    function.n_node = 2;
    function.node = nodes;
    sketch->function = &function;
    sketch_input(sketch, "x", FLOAT, "4");
    sketch_node(sketch, "Twice", "x", "y")->domain = domain;
    sketch_node(sketch, "Twice", "y", "z")->domain = domain;
    sketch_output(sketch, "z", FLOAT, NULL);
    SCOPED(graph_release) struct graph *graph = read_sketch(sketch, NULL);
    CU_ASSERT_EQUAL(graph->operators, 4);
    CU_ASSERT_EQUAL(get_bytes(graph, "y"), 16);
    CU_ASSERT_EQUAL(get_bytes(graph, "z"), 16);
    CU_ASSERT_EQUAL(get_bytes(graph, "middle_2"), 16);
}

static void test_faults(void)
{
    struct sketch *sketch = sketch_create();
    sketch_input(sketch, "x", FLOAT, "4");
    sketch_node(sketch, "Relu", "later", "y");
    sketch_node(sketch, "Relu", "x", "later");
    sketch_output(sketch, "y", FLOAT, NULL);
    check_refused(sketch, NULL, STATUS_BAD_INPUT, "reads 'later', which nothing before it writes");
    sketch = sketch_create();
    sketch_input(sketch, "x", FLOAT, "4");
    sketch_node(sketch, "Relu", "x", "y");
    sketch_node(sketch, "Relu", "x", "y");
    sketch_output(sketch, "y", FLOAT, NULL);
    check_refused(sketch, NULL, STATUS_BAD_INPUT, "'y' is written twice");
    sketch = sketch_create();
    sketch_input(sketch, "x", FLOAT, "4");
    sketch_node(sketch, "Unheard", "x", "y");
    sketch_output(sketch, "y", FLOAT, NULL);
    check_refused(sketch, NULL, STATUS_BAD_INPUT, "number of dimensions of 'y' is not known");
}

static enum status read_loop(const void *text, struct error *error)
{
    const struct onnx_options options = {NULL, 0, 5};
    SCOPED(graph_release) struct graph *graph = NULL;
    return onnx_read(text, "test.file", &options, &graph, error);
}

/* Each allocation fails once; what fails in the child of shape inference is not ours. */
static void test_allocations(void)
{
    SCOPED(text_free) struct text text = sketch_pack(sketch_loop("next"));
    fail_each(read_loop, &text);
}

static const struct test_case cases[] = {
    {"operators, weights, flops, in-place pairs", test_plain},
    {"inputs are bound and shapes folded", test_bind},
    {"branches, taken and not", test_if},
    {"loops carry and gather", test_loop},
    {"scans slice their inputs", test_scan},
    {"functions are written out", test_function},
    {"what is refused", test_faults},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/onnx", cases)
