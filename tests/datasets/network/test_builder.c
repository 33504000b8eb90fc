#include "datasets/network/network.h"

#include "core/names.h"
#include "datasets/network/counts.h"
#include "datasets/reading.h"

static const struct network_options fused = {.batch = 1, .fuse = true};

static enum status build(const char *lines, const struct network_options *options,
                         struct graph **graph, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    text_append(&text, "network n\n%s\nend\n", lines);
    enum status status = text_check(&text, error);
    if (!status)
        status = network_build(&text, "n", "n", options, graph, error);
    return status;
}

static struct graph *build_good(const char *lines, const struct network_options *options)
{
    struct graph *graph = NULL;
    struct error error = ERROR_NONE;
    if (build(lines, options, &graph, &error))
        printf("\n    %s\n", error.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(graph);
    return graph;
}

static const struct graph_tensor *find(const struct graph *graph, const char *name)
{
    uint32_t tensor = names_find(&graph->tensor_names, name);
    CU_ASSERT_NOT_EQUAL_FATAL(tensor, NAMES_NONE);
    return &graph->tensor[tensor];
}

static void check_shape(const struct graph *graph, const char *name, uint64_t height,
                        uint64_t width, uint64_t channels)
{
    const uint64_t *dimension = find(graph, name)->dimension;
    CU_ASSERT_EQUAL(dimension[0], 1);
    CU_ASSERT_EQUAL(dimension[1], height);
    CU_ASSERT_EQUAL(dimension[2], width);
    CU_ASSERT_EQUAL(dimension[3], channels);
}

static void test_shapes(void)
{
    SCOPED(graph_release)
    struct graph *graph = build_good("x: input 7 9 3\n"
                                     "same: conv 8 3/2 relu\n"
                                     "valid: conv 8 3/2 valid relu < x\n"
                                     "whole: max_pool 7 valid < x\n"
                                     "even: average_pool 2/2 valid < x\n"
                                     "global: global_pool < x\n"
                                     "dense: dense 5 < x",
                                     &fused);
    check_shape(graph, "same", 4, 5, 8);
    check_shape(graph, "valid", 3, 4, 8);
    check_shape(graph, "whole", 1, 3, 3);
    check_shape(graph, "even", 3, 4, 3);
    check_shape(graph, "global", 3, 0, 0);
    check_shape(graph, "dense", 5, 0, 0);
    CU_ASSERT_EQUAL(find(graph, "same")->bytes, 4 * 5 * 8 * 4);
    CU_ASSERT(!find(graph, "x")->external && !find(graph, "dense")->external);
}

static void test_windows(void)
{
    SCOPED(graph_release)
    struct graph *graph = build_good("x: input 8 12 4\n"
                                     "padded: conv 2 5/2 pad=1 bias\n"
                                     "ceil: max_pool 3/2 ceil < x\n"
                                     "valid: max_pool 3/2 valid < x\n"
                                     "dilated: conv 3 3*2 plain < x\n"
                                     "up: conv_transpose 5 2 < x\n"
                                     "joined: concat < x dilated\n"
                                     "cut: crop < joined valid",
                                     &fused);
    check_shape(graph, "padded", 3, 5, 2);
    check_shape(graph, "ceil", 4, 6, 4);
    check_shape(graph, "valid", 3, 5, 4);
    check_shape(graph, "dilated", 8, 12, 3);
    check_shape(graph, "up", 16, 24, 5);
    check_shape(graph, "joined", 8, 12, 7);
    check_shape(graph, "cut", 3, 5, 7);
    CU_ASSERT_EQUAL(graph->op[4].flops, 2 * 8 * 12 * 4 * 5 * 4);
}

/* x is added to what the loop's body makes of it, or goes on as it is. */
static void test_branches_and_loops(void)
{
    SCOPED(graph_release)
    struct graph *graph = build_good("x: input 1 1 6\n"
                                     "set y x\n"
                                     "branches choose If x\n"
                                     "region then 0.25\n"
                                     "loop loop 3 y\n"
                                     "dense: dense 6 tanh < y\n"
                                     "set y\n"
                                     "next y\n"
                                     "yield y\n"
                                     "region else 0.75\n"
                                     "yield x\n"
                                     "join choose y",
                                     &fused);
    CU_ASSERT_EQUAL(graph->regions, 4);
    CU_ASSERT_EQUAL(graph->operators, 3);
    CU_ASSERT_EQUAL(graph->op[1].trip_count, 3);
    CU_ASSERT_EQUAL(find(graph, "loop.series")->dimension[1], 3);
    CU_ASSERT_EQUAL(find(graph, "loop.series")->bytes, 3 * 6 * 4);
    CU_ASSERT_EQUAL(find(graph, "choose.out0")->bytes, 6 * 4);
    CU_ASSERT_STRING_EQUAL(
        names_get(&graph->tensor_names, graph->carried[graph->op[1].carried.first].yield), "dense");
}

/* Blocks see their arguments and inputs, loops count, lines hold where what they ask for is so. */
static void test_blocks(void)
{
    static const char blocks[] = "x: input 4 4 2\n"
                                 "repeat i 1 3\n"
                                 "  pair p{i} {2<<i} < x last\n"
                                 "  if {i>2} after{i}: activate relu\n"
                                 "  if {i=0} before{i}: activate relu\n"
                                 "end\n"
                                 "joined: concat < p*_add x\n"
                                 "if {joined.height>3} tall: activate relu\n"
                                 "end\n"
                                 "block pair n channels\n"
                                 "  {n}: conv {channels/2+1-1} 1 < in2\n"
                                 "  {n}_add: conv {channels*2} 1 < in\n";
    SCOPED(graph_release) struct graph *graph = build_good(blocks, &fused);
    check_shape(graph, "p1", 4, 4, 2);
    check_shape(graph, "p3", 4, 4, 8);
    check_shape(graph, "joined", 4, 4, 8 + 16 + 32 + 2);
    check_shape(graph, "after3", 4, 4, 32);
    CU_ASSERT_EQUAL(names_find(&graph->tensor_names, "before3"), NAMES_NONE);
    CU_ASSERT_EQUAL(names_find(&graph->tensor_names, "after2"), NAMES_NONE);
    check_shape(graph, "tall", 4, 4, 58);
}

/* x read twice: its two gradients are added; that of the sum goes to both sides as it is. */
static void test_backward(void)
{
    static const char *const names[] = {
        "a",         "b", "relu", "add", "loss", "relu.backward", "b.backward", "b.accumulate0",
        "a.backward"};
    const struct network_options training = {.batch = 1, .training = true};
    SCOPED(graph_release)
    struct graph *graph = build_good("x: input 1 1 4\n"
                                     "a: dense 4\n"
                                     "b: dense 4\n"
                                     "relu: activate relu\n"
                                     "add: add < relu a",
                                     &training);
    CU_ASSERT_EQUAL_FATAL(graph->operators, 9);
    for (int i = 0; i < 9; i++)
        CU_ASSERT_STRING_EQUAL(graph_label(graph, graph->op[i].name), names[i]);
    const struct graph_operator *dense = &graph->op[6];
    CU_ASSERT_EQUAL(dense->inputs.count, 2);
    CU_ASSERT_PTR_EQUAL(&graph->tensor[graph->list[dense->inputs.first + 1]], find(graph, "a"));
    CU_ASSERT_EQUAL(dense->outputs.count, 3);
    CU_ASSERT(!graph->tensor[graph->list[dense->outputs.first]].external);
    CU_ASSERT(graph->tensor[graph->list[dense->outputs.first + 1]].external);
    CU_ASSERT_EQUAL(graph->op[8].outputs.count, 2);
}

static void test_weights_and_flops(void)
{
    SCOPED(graph_release)
    struct graph *graph = build_good("x: input 8 8 3\n"
                                     "conv: conv 16 3 relu\n"
                                     "depthwise: depthwise 5/2 relu\n"
                                     "dense: dense 10",
                                     &fused);
    const struct graph_weight *weight = graph->weight;
    CU_ASSERT_EQUAL_FATAL(graph->weights, 6);
    CU_ASSERT_EQUAL(weight[0].bytes, 4 * 3 * 3 * 3 * 16);
    CU_ASSERT_EQUAL(weight[1].bytes, 4 * 16);
    CU_ASSERT_EQUAL(weight[2].bytes, 4 * 5 * 5 * 16);
    CU_ASSERT_EQUAL(weight[4].bytes, 4 * 4 * 4 * 16 * 10);
    CU_ASSERT_STRING_EQUAL(graph_label(graph, weight[4].name), "dense.weight");
    CU_ASSERT_EQUAL(graph->op[0].flops, 2 * 8 * 8 * 16 * 27);
    CU_ASSERT_EQUAL(graph->op[1].flops, 2 * 4 * 4 * 16 * 25);
    CU_ASSERT_EQUAL(graph->op[2].flops, 2 * 256 * 10);
    CU_ASSERT_EQUAL(network_parameters(graph), 432 + 16 + 400 + 16 + 2560 + 10);
}

static void test_not_folded(void)
{
    static const char *const types[] = {"Conv",   "BatchNormalization", "Relu6", "Add", "Relu",
                                        "Softmax"};
    const struct network_options apart = {.batch = 1};
    SCOPED(graph_release)
    struct graph *graph = build_good("x: input 8 8 4\n"
                                     "conv: conv 4 1 relu6\n"
                                     "add: add relu < x conv\n"
                                     "softmax: softmax",
                                     &apart);
    CU_ASSERT_EQUAL_FATAL(graph->operators, 6);
    for (int i = 0; i < 6; i++)
        CU_ASSERT_STRING_EQUAL(graph_label(graph, graph->op[i].type), types[i]);
    CU_ASSERT_EQUAL(graph->op[0].weights.count, 1);
    CU_ASSERT_EQUAL(graph->weight[1].bytes, 4 * 4 * 4);
    CU_ASSERT_EQUAL(graph->op[0].inplace.count, 0);
    CU_ASSERT_EQUAL(graph->op[3].inplace.count, 4);
    CU_ASSERT_EQUAL(graph->op[4].inplace.count, 2);
}

/* Of the layers, and of the text itself. */
static void test_failures(void)
{
    struct reading_cases cases = reading_open("network_refused");
    struct reading_fault found;
    while (reading_next(&cases, &found)) {
        struct graph *graph;
        struct error error = ERROR_NONE;
        CU_ASSERT_EQUAL(build(found.input, &fused, &graph, &error), STATUS_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, found.expected));
        if (!strstr(error.text, found.expected))
            printf("\n    '%s', expected '%s'\n", error.text, found.expected);
    }
    text_free(&cases.text);
}

static enum status build_small(const struct text *text, struct error *error)
{
    struct graph *graph;
    (void)text;
    TRY(build("x: input 4 4 3\nc: conv 4 3\nd: dense 4 relu", &(struct network_options){.batch = 1},
              &graph, error));
    graph_free(graph);
    return STATUS_OK;
}

static void test_allocations(void)
{
    reading_check_allocations(build_small, "small");
}

static const struct test_case cases[] = {
    {"shapes follow the windows", test_shapes},
    {"windows are padded, dilated and cut as they say", test_windows},
    {"branches and loops are nested", test_branches_and_loops},
    {"blocks, loops of lines and conditions", test_blocks},
    {"backward operators read what they need", test_backward},
    {"weights and flops follow the shapes", test_weights_and_flops},
    {"operators stand alone when nothing is folded", test_not_folded},
    {"the first failure is kept", test_failures},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/network_builder", cases)
