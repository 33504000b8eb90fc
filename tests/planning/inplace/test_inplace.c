#include "planning/graph/build.h"
#include "planning/graph/dtype.h"
#include "planning/inplace/inplace.h"

#include <stdio.h>
#include <string.h>

#include "planning/inplace/types.h"
#include "planning/merging.h"
#include "support/must.h"
#include "support/testing.h"

/* By all rules that cross no border of a region. */
static void expect_by_all(struct sketch *sketch, const char *expected)
{
    for (uint32_t i = 1; i < inplace_count(); i++)
        if (!inplace_at(i)->merge_loop)
            merging_expect(sketch, inplace_at(i)->name, expected);
}

static void test_which_input(void)
{
    static const uint32_t swapped[] = {1, 0, 0, 0}, third[] = {2, 1, 3, 0};
    SCOPED(sketch_free)
    struct sketch sketch = sketch_read(
        "i:8! a:8 b:8 c:8 d:8 u:8 v:8 w:8 z:1", "",
        "make: i > a b c d; add ADD: a b > u; other: u i c d > v w; last: v w > z", "z");
    merging_declare(&sketch, "other", third, 2);
    merging_expect(&sketch, "declared", "u<a v<d w<c");
    merging_expect(&sketch, "nnvm", "u<a v<d w<c");
    merging_expect(&sketch, "tflite", "u<a");
    merging_expect(&sketch, "ge", "u<a");
    merging_declare(&sketch, "add", swapped, 2);
    merging_expect(&sketch, "declared", "u<b v<d w<c");
    merging_expect(&sketch, "nnvm", "u<b v<d w<c");
    merging_expect(&sketch, "tflite", "u<a");
}

static void test_sizes(void)
{
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("i:8! a:8 b:6 c:8 d:4 e:4 z:4", "",
                    "make: i > a d; shrink: a > b; grow: b > c; small: d > e; last: c e > z", "z");
    merging_declare_first(&sketch, "shrink");
    merging_declare_first(&sketch, "grow");
    merging_declare_first(&sketch, "small");
    merging_expect(&sketch, "declared", "b<a e<d");
    merging_expect(&sketch, "nnvm", "e<d");
    merging_expect(&sketch, "tflite", "");
    merging_expect(&sketch, "ge", "b<a e<d");
}

static void test_shapes(void)
{
    struct graph *graph;
    SCOPED(sketch_free) struct sketch sketch = {0};
    const uint64_t long_row[] = {2, 8}, wide_row[] = {2, 4};
    uint32_t a, b, z, ignored;
    uint8_t half, whole;
    CU_ASSERT_TRUE(graph_dtype_find("float16", &half) && graph_dtype_find("int32", &whole));
    must(graph_create(&graph, "shapes", &error));
    must(graph_add_tensor(
        graph,
        &(struct graph_tensor_spec){
            .name = "a", .has_shape = true, .dtype = half, .dimensions = long_row, .rank = 2},
        &a, &error));
    must(graph_add_tensor(
        graph,
        &(struct graph_tensor_spec){
            .name = "b", .has_shape = true, .dtype = whole, .dimensions = wide_row, .rank = 2},
        &b, &error));
    must(graph_add_tensor(graph, &(struct graph_tensor_spec){.name = "z", .bytes = 1}, &z, &error));
    sketch.graph = graph;
    must(graph_open_operator(graph, "make", "Any", &ignored, &error));
    must(graph_operator_outputs(graph, &a, 1, &error));
    graph_close_operator(graph);
    sketch_add(&sketch, "cast: a > b; last: b > z");
    sketch_finish(&sketch, "z");
    merging_set_type(&sketch, "cast", "Bitcast");
    merging_expect(&sketch, "declared", "b<a");
    merging_expect(&sketch, "nnvm", "");
    merging_expect(&sketch, "tflite", "b=a");
}

/* Tensors of different devices are never in one place. */
static void test_devices(void)
{
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("i:8! t:8 u:8 z:1", "", "make: i > t; relu Relu: t > u; last: u > z", "z");
    sketch.graph->tensor[sketch_find(&sketch, "u")].device = 1;
    merging_expect(&sketch, "nnvm", "");
    merging_expect(&sketch, "declared", "");
}

/* Nobody reads the outputs, yet they are written both. */
static void test_one_each(void)
{
    static const uint32_t pairs[] = {0, 0, 0, 1};
    SCOPED(sketch_free)
    struct sketch sketch =
        sketch_read("i:8! t:8 u:8 v:8 z:1", "", "make: i > t; two: t > u v; last: i > z", "z");
    merging_declare(&sketch, "two", pairs, 2);
    merging_expect(&sketch, "declared", "u<t");
}

static void test_types(void)
{
    static const char *const unknown[] = {"Conv", "MatMul", "Transpose", "Rel", "Relux", ""};
    CU_ASSERT_TRUE(inplace_type_find("Relu") && inplace_type_find("RELU_N1_TO_1"));
    CU_ASSERT_TRUE(inplace_type_find("batch_normalization")->inputs == 1);
    CU_ASSERT_TRUE(inplace_type_find("ExpandDims")->view && inplace_type_find("RESHAPE")->view);
    CU_ASSERT_TRUE(inplace_type_find("MUL")->inputs == 3 && !inplace_type_find("MUL")->view);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        CU_ASSERT_PTR_NULL(inplace_type_find(unknown[i]));
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

enum { MOST_CHECKS = 8 };

static const struct scene {
    const char *name;
    struct sketch_text text;
    struct {
        const char *rules; /* NULL: all that cross no border of a region */
        const char *expected, *disabled;
    } check[MOST_CHECKS];
} scenes[] = {
    /* x is an input of the graph and z its output, so the two in the middle are all that may
       share. */
    {"chain",
     {"x:8 t:8 u:8 z:8", "x", "first Relu: x > t; second RELU6: t > u; third Sigmoid: u > z", "z"},
     {{"none", "", NULL},
      {"declared", "u<t", NULL},
      {"nnvm", "u<t z<u", NULL},
      {"tflite", "u<t", NULL},
      {"ge", "u<t", NULL},
      {"nnvm", "z<u", "Add,relu_6"},
      {"nnvm", "u<t z<u", "Relu"},
      {"nnvm", "", "Sigmoid,Relu6"}}},
    /* GE, section 5.2: relu is the only consumer of x, or sigmoid reads it too. */
    {"several consumers",
     {"i:8! x:8 u:8 v:8 z:8", "",
      "make: i > x; relu Relu: x > u; sigmoid Sigmoid: x > v; last: u v > z", "z"},
     {{"declared", "v<x", NULL}, {"nnvm", "v<x", NULL}, {"tflite", "", NULL}, {"ge", "", NULL}}},
    /* Whatever the rules: no external tensors, no values read twice by the operator,
       no training. */
    {"never",
     {"i:8! w:8! t:8 u:8! s:8 v:8 m:8 n:8 z:1", "",
      "make: i > t s m; out Relu: t > u; in Relu: w > v; twice Mul: s s > n; norm: m > z", "z"},
     {{NULL, "", NULL}}},
    {"never",
     {"i:8! t:8 u:8 mean:2 z:1", "",
      "make: i > t; norm BatchNormalization: t > u mean; last: u mean > z", "z"},
     {{NULL, "", NULL}}},
    /* Neither into a branch nor out of it, and nothing that a branch yields; but inside it. */
    {"branches",
     {"i:8! t:8 a:8 b:8 c:8 e:8 r:8 u:8 z:1", "",
      "make: i > t; choose: i > r {then(outer Relu: t > a; inner Relu: a > b; yielded Relu: b > c "
      "| c) else(other: i > e | e)}; result Relu: r > u; last: u > z",
      "z"},
     {{NULL, "b<a", NULL}}},
    {"loop",
     {"i:8! t:8 q:8 k:8 a:8 b:8 y:8 r:8 u:8 z:1", "",
      "make: i > t k; loop: i > r [t q y r] {body(argument Relu: q > a; inner Relu: a > b; yielded "
      "Add: b k > y |)}; result Relu: r > u; last: u > z",
      "z"},
     {{NULL, "b<a", NULL}}},
    {"nnvm: identities",
     {"i:8! t:8 v:8 w:8 u:8 z:1", "",
      "make: i > t; reshape Reshape: t > v; early Relu: v > u; late Relu: t > w; last: u w > z",
      "z"},
     {{"declared", "w<t u<v", NULL},
      {"nnvm", "v=t w<t", NULL},
      {"tflite", "v=t", NULL},
      {"ge", "u<v", NULL}}},
    /* The example run for runtimes.md, with the view of all of relu: relu lies on cont, and is not
       written over while its view is read, which as a view is not written over either. The source
       writes the sum over the input x. */
    {"ggml: views",
     {"x:8 c:8 r:8 v:8 a:8 s:8 z:16", "x",
      "cont: x > c; relu Relu: c > r; view Reshape: r > v; add Add: r x > a; sqr Relu: v > s; "
      "concat: a s > z",
      "z"},
     {{"ggml", "r<c v=r", NULL}, {"nnvm", "r<c v=r s<v", NULL}}},
    {"ggml: the first source that dies, and a graph output",
     {"i:8! t:8 u:8 w:8 z:8 y:1", "",
      "make: i > t u; add Add: t u > w; relu Relu: w > z; last: t > y", "z y"},
     {{"ggml", "w<u z<w", NULL}, {"tflite", "w<u", NULL}, {"ge", "", NULL}}},
    {"nnvm: an output that nobody reads",
     {"i:8! t:8 u:8 z:1", "", "make: i > t; relu Relu: t > u; last: i > z", "z"},
     {{"nnvm", "", NULL}, {"declared", "u<t", NULL}}},
    /* The variable is an input of the graph; case by case of planners.md 1b. */
    {"nnvm: assign",
     {"x:8 g:8 n:8 out:8", "x g", "step: x g > n; assign _assign: x n > out", "out"},
     {{"nnvm", "out<x", NULL}, {"declared", "", NULL}, {"nnvm", "", "Assign"}}},
    {"nnvm: assign",
     {"x:8 n:8! out:8 late:8", "x", "assign _assign: x n > out; reader: x > late", "out late"},
     {{"nnvm", "", NULL}}},
    /* Second case: somebody else reads the value, or it is no operator's. */
    {"nnvm: assign that does not read its variable",
     {"x:8 n:8! out:8", "x", "assign _assign: n x~ > out", "out"},
     {{"nnvm", "out<x", NULL}, {"declared", "", NULL}}},
    {"nnvm: assign that does not read its variable",
     {"x:8 g:8! n:8 out:8 z:1", "x", "step: g > n; assign _assign: n x~ > out; reader: n > z",
      "out z"},
     {{"nnvm", "out<x", NULL}}},
    {"nnvm: assign that does not read its variable",
     {"x:8 n:8! out:8 z:1", "x", "assign _assign: n x~ > out; reader: x > z", "out z"},
     {{"nnvm", "", NULL}}},
    /* Third case: the value is computed straight into the variable, whether its operator reads that
   or not, and whatever input it would have been in place of otherwise. */
    {"nnvm: assign of a value that nobody else reads",
     {"x:8 g:8! n:8 out:8", "x", "step: g > n; assign _assign: n x~ > out", "out"},
     {{"nnvm", "n<x out=n", NULL}}},
    {"nnvm: assign of a value that nobody else reads",
     {"x:8 g:8 n:8 out:8", "x g", "step Add: x g > n; assign _assign: n x~ > out", "out"},
     {{"nnvm", "n<x out=n", NULL}}},
    {"nnvm: assign of a value that nobody else reads",
     {"x:8 g:8! t:8 n:8 out:8", "x", "make: g > t; step Relu: t > n; assign _assign: n x~ > out",
      "out"},
     {{"nnvm", "n<x out=n", NULL}}},
    {"nnvm: assign of a value that nobody else reads",
     {"x:8 g:8! n:8 a:8 m:8 out:8", "x",
      "one: g > n; assign1 _assign: n x~ > a; two Relu: a > m; assign2 _assign: m a~ > out", "out"},
     {{"nnvm", "n<x a=n m<a out=m", NULL}}},
    {"nnvm: assign of a value that nobody else reads",
     {"x:8 y:8 g:8! n:8 a:8 out:8", "x y",
      "step: g > n; assign1 _assign: n x~ > a; assign2 _assign: a y~ > out", "out"},
     {{"nnvm", "n<x a=n out<y", NULL}}},
    /* As if it were the second case, since somebody needs what is in the variable for longer. */
    {"nnvm: such a value, and a variable that is needed",
     {"x:8 n:8 out:8", "x", "step: x > n; assign _assign: n x~ > out", "out"},
     {{"nnvm", "out<x", NULL}}},
    {"nnvm: such a value, and a variable that is needed",
     {"x:8 g:8! n:8 z:1 out:8", "x", "step: g > n; reader: x > z; assign _assign: n x~ > out",
      "out z"},
     {{"nnvm", "out<x", NULL}}},
    {"nnvm: such a value, and a variable that is needed",
     {"x:8 g:8! n:8 m:8! a:8 out:8", "x",
      "step: g > n; assign1 _assign: m x~ > a; assign2 _assign: n a~ > out", "out"},
     {{"nnvm", "a<x out<a", NULL}}},
    /* As LiteRT has it, relu would overwrite v and with it w, which is another view of the same:
   only the uses of v and of t are counted there. */
    {"tflite: views of a view",
     {"i:8! t:8 s:8 v:8 w:8 u:8 z:1", "",
      "make: i > t; top RESHAPE: t > s; one SQUEEZE: s > v; two EXPAND_DIMS: s > w; relu RELU: v > "
      "u; last: u w > z",
      "z"},
     {{"tflite", "s=t v=s w=s", NULL}}},
    /* All uses of the root count, also those that are over; then nothing further is tried. */
    {"tflite: uses that are over",
     {"i:8! t:8 v:8 w:8 m:8 u:8 z:1", "",
      "make: i > t m; early: t > w; view Reshape: t > v; add Add: v m > u; last: u w > z", "z"},
     {{"tflite", "v=t", NULL}, {"nnvm", "v=t u<v", NULL}}},
};

static void test_scenes(void)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        SCOPED(sketch_free) struct sketch sketch = sketch_of(&scenes[i].text);
        for (int c = 0; c < MOST_CHECKS && scenes[i].check[c].expected; c++)
            if (scenes[i].check[c].rules)
                merging_expect_without(&sketch, scenes[i].check[c].rules,
                                       scenes[i].check[c].disabled, scenes[i].check[c].expected);
            else
                expect_by_all(&sketch, scenes[i].check[c].expected);
    }
}

static const struct test_case cases[] = {
    {"graphs by hand", test_scenes},
    {"which input", test_which_input},
    {"sizes", test_sizes},
    {"shapes", test_shapes},
    {"devices", test_devices},
    {"two outputs over one input", test_one_each},
    {"types of operators", test_types},
    {"the table", test_table},
};

TESTING_MAIN("planning/inplace", cases)
