#include "planning/inplace.h"

#include <stdio.h>
#include <string.h>

#include "planning/inplace_types.h"
#include "planning/sketch.h"
#include "support/testing.h"

static struct error error;

static struct graph_operator *find_operator(struct sketch *sketch, const char *name)
{
    for (uint32_t o = 0; o < sketch->graph->operators; o++)
        if (strcmp(graph_label(sketch->graph, sketch->graph->operator[o].name), name) == 0)
            return &sketch->graph->operator[o];
    CU_FAIL_FATAL("no such operator");
    return NULL;
}

static void set_type(struct sketch *sketch, const char *name, const char *type)
{
    CU_ASSERT_EQUAL_FATAL(names_add(&sketch->graph->labels, type, &error), STATUS_OK);
    find_operator(sketch, name)->type = sketch->graph->labels.count - 1;
}

static void declare(struct sketch *sketch, const char *name, const uint32_t *pairs, uint32_t count)
{
    struct graph *graph = sketch->graph;
    graph->open_operator = (uint32_t)(find_operator(sketch, name) - graph->operator);
    CU_ASSERT_EQUAL_FATAL(graph_operator_inplace(graph, pairs, count, &error), STATUS_OK);
    graph->open_operator = GRAPH_NONE;
}

static void declare_first(struct sketch *sketch, const char *name)
{
    static const uint32_t pair[] = {0, 0};
    declare(sketch, name, pair, 1);
}

/* "u<t v=t": u overwrites t, v is a view of t; in the order of the tensors. */
static void list_merged(const struct sketch *sketch, char *text, size_t text_bytes)
{
    const struct placement *placement = sketch->placement;
    const struct names *names = &sketch->graph->tensor_names;
    size_t used = 0;
    *text = '\0';
    for (uint32_t t = 0; t < placement->tensors; t++)
        if (placement->overwrites[t] != GRAPH_NONE)
            used += (size_t)snprintf(text + used, text_bytes - used, "%s%s%c%s", used ? " " : "",
                                     names_get(names, t), placement->is_view[t] ? '=' : '<',
                                     names_get(names, placement->overwrites[t]));
}

static void expect_merged_without(struct sketch *sketch, const char *rules, const char *disabled,
                                  const char *expected)
{
    const struct inplace_choice choice = {inplace_find(rules), disabled};
    char found[128];
    placement_free(sketch->placement);
    CU_ASSERT_EQUAL_FATAL(placement_create(sketch->graph, &sketch->placement, &error), STATUS_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(choice.rules);
    CU_ASSERT_EQUAL(inplace_apply(sketch->graph, &choice, sketch->placement, &error), STATUS_OK);
    list_merged(sketch, found, sizeof found);
    if (strcmp(found, expected) != 0)
        printf("\n%s: found '%s', expected '%s'\n", rules, found, expected);
    CU_ASSERT_STRING_EQUAL(found, expected);
}

static void expect_merged(struct sketch *sketch, const char *rules, const char *expected)
{
    expect_merged_without(sketch, rules, NULL, expected);
}

static void expect_by_all(struct sketch *sketch, const char *expected)
{
    for (uint32_t i = 1; i < inplace_count(); i++)
        expect_merged(sketch, inplace_at(i)->name, expected);
}

/* x is an input of the graph and z its output, so the two in the middle are all that may share. */
static void test_chain(void)
{
    struct sketch sketch = sketch_start("x:8 t:8 u:8 z:8");
    sketch_inputs(&sketch, "x");
    sketch_plain(&sketch, "first", "x", "t");
    sketch_plain(&sketch, "second", "t", "u");
    sketch_plain(&sketch, "third", "u", "z");
    sketch_finish(&sketch, "z");
    set_type(&sketch, "first", "Relu");
    set_type(&sketch, "second", "RELU6");
    set_type(&sketch, "third", "Sigmoid");
    expect_merged(&sketch, "none", "");
    expect_merged(&sketch, "declared", "u<t");
    expect_merged(&sketch, "nnvm", "u<t z<u");
    expect_merged(&sketch, "tflite", "u<t");
    expect_merged(&sketch, "ge", "u<t");
    expect_merged_without(&sketch, "nnvm", "Add,relu_6", "z<u");
    expect_merged_without(&sketch, "nnvm", "Relu", "u<t z<u");
    expect_merged_without(&sketch, "nnvm", "Sigmoid,Relu6", "");
    sketch_free(&sketch);
}

/* GE, section 5.2: relu is the only consumer of x, or sigmoid reads it too. */
static void test_several_consumers(void)
{
    struct sketch sketch = sketch_start("i:8! x:8 u:8 v:8 z:8");
    sketch_plain(&sketch, "make", "i", "x");
    sketch_plain(&sketch, "relu", "x", "u");
    sketch_plain(&sketch, "sigmoid", "x", "v");
    sketch_plain(&sketch, "last", "u v", "z");
    sketch_finish(&sketch, "z");
    set_type(&sketch, "relu", "Relu");
    set_type(&sketch, "sigmoid", "Sigmoid");
    expect_merged(&sketch, "declared", "v<x");
    expect_merged(&sketch, "nnvm", "v<x");
    expect_merged(&sketch, "tflite", "");
    expect_merged(&sketch, "ge", "");
    sketch_free(&sketch);
}

static void test_which_input(void)
{
    static const uint32_t swapped[] = {1, 0, 0, 0}, third[] = {2, 1, 3, 0};
    struct sketch sketch = sketch_start("i:8! a:8 b:8 c:8 d:8 u:8 v:8 w:8 z:1");
    sketch_plain(&sketch, "make", "i", "a b c d");
    sketch_plain(&sketch, "add", "a b", "u");
    sketch_plain(&sketch, "other", "u i c d", "v w");
    sketch_plain(&sketch, "last", "v w", "z");
    sketch_finish(&sketch, "z");
    set_type(&sketch, "add", "ADD");
    declare(&sketch, "other", third, 2);
    expect_merged(&sketch, "declared", "u<a v<d w<c");
    expect_merged(&sketch, "nnvm", "u<a v<d w<c");
    expect_merged(&sketch, "tflite", "u<a");
    expect_merged(&sketch, "ge", "u<a");
    declare(&sketch, "add", swapped, 2);
    expect_merged(&sketch, "declared", "u<b v<d w<c");
    expect_merged(&sketch, "nnvm", "u<b v<d w<c");
    expect_merged(&sketch, "tflite", "u<a");
    sketch_free(&sketch);
}

static void test_sizes(void)
{
    struct sketch sketch = sketch_start("i:8! a:8 b:6 c:8 d:4 e:4 z:4");
    sketch_plain(&sketch, "make", "i", "a d");
    sketch_plain(&sketch, "shrink", "a", "b");
    sketch_plain(&sketch, "grow", "b", "c");
    sketch_plain(&sketch, "small", "d", "e");
    sketch_plain(&sketch, "last", "c e", "z");
    sketch_finish(&sketch, "z");
    declare_first(&sketch, "shrink");
    declare_first(&sketch, "grow");
    declare_first(&sketch, "small");
    expect_merged(&sketch, "declared", "b<a e<d");
    expect_merged(&sketch, "nnvm", "e<d");
    expect_merged(&sketch, "tflite", "");
    expect_merged(&sketch, "ge", "b<a e<d");
    sketch_free(&sketch);
}

static void test_shapes(void)
{
    struct graph *graph;
    struct sketch sketch = {0};
    const uint64_t long_row[] = {2, 8}, wide_row[] = {2, 4};
    uint32_t a, b, z, ignored;
    uint8_t half, whole;
    CU_ASSERT_TRUE(graph_dtype_find("float16", &half) && graph_dtype_find("int32", &whole));
    CU_ASSERT_EQUAL_FATAL(graph_create(&graph, "shapes", &error), STATUS_OK);
    CU_ASSERT_EQUAL(graph_add_tensor(graph, "a", half, long_row, 2, false, &a, &error), STATUS_OK);
    CU_ASSERT_EQUAL(graph_add_tensor(graph, "b", whole, wide_row, 2, false, &b, &error), STATUS_OK);
    CU_ASSERT_EQUAL(graph_add_tensor_bytes(graph, "z", 1, false, &z, &error), STATUS_OK);
    sketch.graph = graph;
    CU_ASSERT_EQUAL(graph_open_operator(graph, "make", "Any", &ignored, &error), STATUS_OK);
    CU_ASSERT_EQUAL(graph_operator_outputs(graph, &a, 1, &error), STATUS_OK);
    graph_close_operator(graph);
    sketch_plain(&sketch, "cast", "a", "b");
    sketch_plain(&sketch, "last", "b", "z");
    sketch_finish(&sketch, "z");
    set_type(&sketch, "cast", "Bitcast");
    expect_merged(&sketch, "declared", "b<a");
    expect_merged(&sketch, "nnvm", "");
    expect_merged(&sketch, "tflite", "b=a");
    sketch_free(&sketch);
}

/* Whatever the rules: no external tensors, no values read twice by the operator, no training. */
static void test_never(void)
{
    struct sketch sketch = sketch_start("i:8! w:8! t:8 u:8! s:8 v:8 m:8 n:8 z:1");
    sketch_plain(&sketch, "make", "i", "t s m");
    sketch_plain(&sketch, "out", "t", "u");
    sketch_plain(&sketch, "in", "w", "v");
    sketch_plain(&sketch, "twice", "s s", "n");
    sketch_plain(&sketch, "norm", "m", "z");
    sketch_finish(&sketch, "z");
    set_type(&sketch, "out", "Relu");
    set_type(&sketch, "in", "Relu");
    set_type(&sketch, "twice", "Mul");
    expect_by_all(&sketch, "");
    sketch_free(&sketch);
    sketch = sketch_start("i:8! t:8 u:8 mean:2 z:1");
    sketch_plain(&sketch, "make", "i", "t");
    sketch_plain(&sketch, "norm", "t", "u mean");
    sketch_plain(&sketch, "last", "u mean", "z");
    sketch_finish(&sketch, "z");
    set_type(&sketch, "norm", "BatchNormalization");
    expect_by_all(&sketch, "");
    sketch_free(&sketch);
}

/* Neither into a branch nor out of it, and nothing that a branch yields; but inside it. */
static void test_branches(void)
{
    struct sketch sketch = sketch_start("i:8! t:8 a:8 b:8 c:8 e:8 r:8 u:8 z:1");
    sketch_plain(&sketch, "make", "i", "t");
    sketch_if(&sketch, "choose", "i", "r");
    sketch_region(&sketch, "then");
    sketch_plain(&sketch, "outer", "t", "a");
    sketch_plain(&sketch, "inner", "a", "b");
    sketch_plain(&sketch, "yielded", "b", "c");
    sketch_yield(&sketch, "c");
    sketch_region(&sketch, "else");
    sketch_plain(&sketch, "other", "i", "e");
    sketch_yield(&sketch, "e");
    sketch_close(&sketch);
    sketch_plain(&sketch, "result", "r", "u");
    sketch_plain(&sketch, "last", "u", "z");
    sketch_finish(&sketch, "z");
    set_type(&sketch, "outer", "Relu");
    set_type(&sketch, "inner", "Relu");
    set_type(&sketch, "yielded", "Relu");
    set_type(&sketch, "result", "Relu");
    expect_by_all(&sketch, "b<a");
    sketch_free(&sketch);
}

static void test_loop(void)
{
    struct sketch sketch = sketch_start("i:8! t:8 q:8 k:8 a:8 b:8 y:8 r:8 u:8 z:1");
    sketch_plain(&sketch, "make", "i", "t k");
    sketch_loop(&sketch, "loop", "i", "r", "t q y r");
    sketch_region(&sketch, "body");
    sketch_plain(&sketch, "argument", "q", "a");
    sketch_plain(&sketch, "inner", "a", "b");
    sketch_plain(&sketch, "yielded", "b k", "y");
    sketch_yield(&sketch, "");
    sketch_close(&sketch);
    sketch_plain(&sketch, "result", "r", "u");
    sketch_plain(&sketch, "last", "u", "z");
    sketch_finish(&sketch, "z");
    set_type(&sketch, "argument", "Relu");
    set_type(&sketch, "inner", "Relu");
    set_type(&sketch, "yielded", "Add");
    set_type(&sketch, "result", "Relu");
    expect_by_all(&sketch, "b<a");
    sketch_free(&sketch);
}

static void test_nnvm_identity(void)
{
    struct sketch sketch = sketch_start("i:8! t:8 v:8 w:8 u:8 z:1");
    sketch_plain(&sketch, "make", "i", "t");
    sketch_plain(&sketch, "reshape", "t", "v");
    sketch_plain(&sketch, "early", "v", "u");
    sketch_plain(&sketch, "late", "t", "w");
    sketch_plain(&sketch, "last", "u w", "z");
    sketch_finish(&sketch, "z");
    set_type(&sketch, "reshape", "Reshape");
    set_type(&sketch, "early", "Relu");
    set_type(&sketch, "late", "Relu");
    expect_merged(&sketch, "declared", "w<t u<v");
    expect_merged(&sketch, "nnvm", "v=t w<t");
    expect_merged(&sketch, "tflite", "v=t");
    expect_merged(&sketch, "ge", "u<v");
    sketch_free(&sketch);
}

static void test_nnvm_unread(void)
{
    struct sketch sketch = sketch_start("i:8! t:8 u:8 z:1");
    sketch_plain(&sketch, "make", "i", "t");
    sketch_plain(&sketch, "relu", "t", "u");
    sketch_plain(&sketch, "last", "i", "z");
    sketch_finish(&sketch, "z");
    set_type(&sketch, "relu", "Relu");
    expect_merged(&sketch, "nnvm", "");
    expect_merged(&sketch, "declared", "u<t");
    sketch_free(&sketch);
}

/* The variable is an input of the graph; case by case of planners.md 1b. */
static void test_assign(void)
{
    struct sketch sketch = sketch_start("x:8 g:8 n:8 out:8");
    sketch_inputs(&sketch, "x g");
    sketch_plain(&sketch, "step", "x g", "n");
    sketch_plain(&sketch, "assign", "x n", "out");
    sketch_finish(&sketch, "out");
    set_type(&sketch, "assign", "_assign");
    expect_merged(&sketch, "nnvm", "out<x");
    expect_merged(&sketch, "declared", "");
    expect_merged_without(&sketch, "nnvm", "Assign", "");
    sketch_free(&sketch);
    sketch = sketch_start("x:8 n:8! out:8 late:8");
    sketch_inputs(&sketch, "x");
    sketch_plain(&sketch, "assign", "x n", "out");
    sketch_plain(&sketch, "reader", "x", "late");
    sketch_finish(&sketch, "out late");
    set_type(&sketch, "assign", "_assign");
    expect_merged(&sketch, "nnvm", "");
    sketch_free(&sketch);
}

/* As LiteRT has it, relu would overwrite v and with it w, which is another view of the same: only
   the uses of v and of t are counted there. */
static void test_tflite_narrowed(void)
{
    struct sketch sketch = sketch_start("i:8! t:8 s:8 v:8 w:8 u:8 z:1");
    sketch_plain(&sketch, "make", "i", "t");
    sketch_plain(&sketch, "top", "t", "s");
    sketch_plain(&sketch, "one", "s", "v");
    sketch_plain(&sketch, "two", "s", "w");
    sketch_plain(&sketch, "relu", "v", "u");
    sketch_plain(&sketch, "last", "u w", "z");
    sketch_finish(&sketch, "z");
    set_type(&sketch, "top", "RESHAPE");
    set_type(&sketch, "one", "SQUEEZE");
    set_type(&sketch, "two", "EXPAND_DIMS");
    set_type(&sketch, "relu", "RELU");
    expect_merged(&sketch, "tflite", "s=t v=s w=s");
    sketch_free(&sketch);
}

/* All uses of the root count, also those that are over; then nothing further is tried. */
static void test_tflite_root(void)
{
    struct sketch sketch = sketch_start("i:8! t:8 v:8 w:8 m:8 u:8 z:1");
    sketch_plain(&sketch, "make", "i", "t m");
    sketch_plain(&sketch, "early", "t", "w");
    sketch_plain(&sketch, "view", "t", "v");
    sketch_plain(&sketch, "add", "v m", "u");
    sketch_plain(&sketch, "last", "u w", "z");
    sketch_finish(&sketch, "z");
    set_type(&sketch, "view", "Reshape");
    set_type(&sketch, "add", "Add");
    expect_merged(&sketch, "tflite", "v=t");
    expect_merged(&sketch, "nnvm", "v=t u<v");
    sketch_free(&sketch);
}

/* Nobody reads the outputs, yet they are written both. */
static void test_one_each(void)
{
    static const uint32_t pairs[] = {0, 0, 0, 1};
    struct sketch sketch = sketch_start("i:8! t:8 u:8 v:8 z:1");
    sketch_plain(&sketch, "make", "i", "t");
    sketch_plain(&sketch, "two", "t", "u v");
    sketch_plain(&sketch, "last", "i", "z");
    sketch_finish(&sketch, "z");
    declare(&sketch, "two", pairs, 2);
    expect_merged(&sketch, "declared", "u<t");
    sketch_free(&sketch);
}

static void test_types(void)
{
    CU_ASSERT_TRUE(inplace_type_find("Relu") && inplace_type_find("RELU_N1_TO_1"));
    CU_ASSERT_TRUE(inplace_type_find("batch_normalization")->inputs == 1);
    CU_ASSERT_TRUE(inplace_type_find("ExpandDims")->view && inplace_type_find("RESHAPE")->view);
    CU_ASSERT_TRUE(inplace_type_find("MUL")->inputs == 3 && !inplace_type_find("MUL")->view);
    CU_ASSERT_PTR_NULL(inplace_type_find("Conv"));
    CU_ASSERT_PTR_NULL(inplace_type_find("MatMul"));
    CU_ASSERT_PTR_NULL(inplace_type_find("Transpose"));
    CU_ASSERT_PTR_NULL(inplace_type_find("Rel"));
    CU_ASSERT_PTR_NULL(inplace_type_find("Relux"));
    CU_ASSERT_PTR_NULL(inplace_type_find(""));
    CU_ASSERT_TRUE(inplace_type_is("Add", "_ADD,Mul", 4));
    CU_ASSERT_FALSE(inplace_type_is("Add", "Add,Mul", 7));
}

static void test_table(void)
{
    CU_ASSERT_STRING_EQUAL(inplace_at(0)->name, "none");
    for (uint32_t i = 0; i < inplace_count(); i++) {
        const struct inplace_rules *rules = inplace_at(i);
        CU_ASSERT_PTR_EQUAL(inplace_find(rules->name), rules);
        CU_ASSERT_TRUE(*rules->title && *rules->source);
    }
    CU_ASSERT_PTR_NULL(inplace_find("nnv"));
}

static const struct test_case cases[] = {
    {"chain", test_chain},
    {"several consumers", test_several_consumers},
    {"which input", test_which_input},
    {"sizes", test_sizes},
    {"shapes", test_shapes},
    {"never", test_never},
    {"branches", test_branches},
    {"loop", test_loop},
    {"nnvm: identities", test_nnvm_identity},
    {"nnvm: an output that nobody reads", test_nnvm_unread},
    {"nnvm: assign", test_assign},
    {"tflite: views of a view", test_tflite_narrowed},
    {"tflite: uses that are over", test_tflite_root},
    {"two outputs over one input", test_one_each},
    {"types of operators", test_types},
    {"the table", test_table},
};

TESTING_MAIN("planning/inplace", cases)
