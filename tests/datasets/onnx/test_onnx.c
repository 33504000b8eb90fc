#include "datasets/memplan_json/graph.h"
#include "datasets/onnx/sketch.h"
#include "datasets/reading.h"
#include "support/fail_each.h"
#include "support/must.h"

enum {
    FLOAT = ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT,
    INT64 = ONNX__TENSOR_PROTO__DATA_TYPE__INT64,
    BOOL = ONNX__TENSOR_PROTO__DATA_TYPE__BOOL,
};

/* Reads a sketch as the graph of that case. */
static void check_read(struct sketch *sketch, const struct model_options *options,
                       const char *words)
{
    SCOPED(text_free) struct text text = sketch_pack(sketch);
    SCOPED(text_free) struct text written = {0};
    SCOPED(graph_release) struct graph *graph = NULL;
    must(onnx_read(&text, "test.file", options, &graph, &error));
    must(graph_json_write(graph, &written, &error));
    reading_check_result("onnx_read", words, written.bytes);
}

static void check_refused(struct sketch *sketch, const struct model_options *options,
                          enum status expected, const char *part)
{
    SCOPED(text_free) struct text text = sketch_pack(sketch);
    struct graph *graph = NULL;
    CU_ASSERT_EQUAL(onnx_read(&text, "test.file", options, &graph, &error), expected);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, part));
    if (!strstr(error.text, part))
        printf("\n    wanted '%s', got '%s'\n", part, error.text);
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
    check_read(sketch, NULL, "operators, weights, flops, in-place pairs");
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
    const struct model_options options[] = {{.bind = bind, .binds = 1},
                                            {.assume_dimension = 4},
                                            {.bind = wide, .binds = 1},
                                            {.bind = other, .binds = 1},
                                            {.bind = none, .binds = 1}};
    check_read(sketch_shapes(), &options[0], "inputs are bound and shapes folded");
    check_read(sketch_shapes(), &options[1], "dimensions are assumed");
    check_refused(sketch_shapes(), NULL, STATUS_BAD_INPUT, "no size of dimension 0 of 'x'");
    check_refused(sketch_shapes(), &options[2], STATUS_USAGE, "expected 4 as in the file");
    check_refused(sketch_shapes(), &options[3], STATUS_USAGE, "expected one of: x");
    check_refused(sketch_shapes(), &options[4], STATUS_USAGE, "expected NAME=");
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
    check_read(sketch_if("flag"), NULL, "branches");
    check_read(sketch_if("same"), NULL, "the branch that is taken");
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
    const struct model_options options = {.assume_dimension = 5};
    struct sketch *nameless = sketch_loop("next");
    nameless->node[0]->attribute[0]->g->input[0]->name =
        NULL; /* the turn's number, which is unread */
    check_read(nameless, &options, "loops carry and gather");
    check_read(sketch_loop("next"), &options, "loops carry and gather");
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
    check_read(sketch, NULL, "scans slice their inputs");
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
    check_read(sketch, NULL, "functions are written out");
}

static void test_faults(void)
{
    struct sketch *sketch = sketch_create();
    sketch_input(sketch, "x", FLOAT, "4");
    sketch_node(sketch, "Relu", "later", "y");
    sketch_node(sketch, "Relu", "x", "later");
    sketch_output(sketch, "y", FLOAT, NULL);
    check_refused(sketch, NULL, STATUS_BAD_INPUT,
                  "reading 'later', which nothing before it writes");
    sketch = sketch_create();
    sketch_input(sketch, "x", FLOAT, "4");
    sketch_node(sketch, "Relu", "x", "y");
    sketch_node(sketch, "Relu", "x", "y");
    sketch_output(sketch, "y", FLOAT, NULL);
    check_refused(sketch, NULL, STATUS_BAD_INPUT, "'y' written twice");
    sketch = sketch_create();
    sketch_input(sketch, "x", FLOAT, "4");
    sketch_node(sketch, "Unheard", "x", "y");
    sketch_output(sketch, "y", FLOAT, NULL);
    check_refused(sketch, NULL, STATUS_BAD_INPUT, "unknown number of dimensions of 'y'");

    sketch = sketch_create();
    sketch_floats(sketch, "w", "2 3");
    sketch_node(sketch, "Relu", "w", "y");
    sketch_output(sketch, "y", FLOAT, "2 3");
    check_refused(sketch, NULL, STATUS_BAD_INPUT, "found no operators that depend on inputs");
}

static enum status read_loop(const void *text, struct error *failed)
{
    const struct model_options options = {.assume_dimension = 5};
    SCOPED(graph_release) struct graph *graph = NULL;
    return onnx_read(text, "test.file", &options, &graph, failed);
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
