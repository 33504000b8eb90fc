#include "datasets/network/control.h"
#include "datasets/network/counts.h"
#include "datasets/reading.h"

static const struct network_options fused = {.batch = 1, .fuse = true};

static struct network *start_network(const struct network_options *options)
{
    struct network *network = NULL;
    struct error error;
    CU_ASSERT_FATAL(network_create("n", options, &network, &error) == STATUS_OK);
    return network;
}

static struct graph *finish_network(struct network *network, uint32_t output)
{
    struct graph *graph = NULL;
    struct error error = ERROR_NONE;
    if (network_finish(network, output, &graph, &error))
        printf("\n    %s\n", error.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(graph);
    return graph;
}

static void check_shape(const struct graph *graph, uint32_t tensor, uint64_t height, uint64_t width,
                        uint64_t channels)
{
    const uint64_t *dimension = graph->tensor[tensor].dimension;
    CU_ASSERT_EQUAL(dimension[0], 1);
    CU_ASSERT_EQUAL(dimension[1], height);
    CU_ASSERT_EQUAL(dimension[2], width);
    CU_ASSERT_EQUAL(dimension[3], channels);
}

static void test_shapes(void)
{
    struct network *network = start_network(&fused);
    uint32_t x = network_input(network, "x", 7, 9, 3);
    uint32_t same =
        network_conv(network, "same", x, network_filters(8, network_same(3, 2)), NETWORK_RELU);
    uint32_t valid =
        network_conv(network, "valid", x, network_filters(8, network_valid(3, 2)), NETWORK_RELU);
    uint32_t whole = network_max_pool(network, "whole", x, network_valid(7, 1));
    uint32_t even = network_average_pool(network, "even", x, network_valid(2, 2));
    uint32_t global = network_global_average_pool(network, "global", x);
    uint32_t dense = network_dense(network, "dense", x, 5, NETWORK_LINEAR);
    struct graph *graph = finish_network(network, dense);
    check_shape(graph, same, 4, 5, 8);
    check_shape(graph, valid, 3, 4, 8);
    check_shape(graph, whole, 1, 3, 3);
    check_shape(graph, even, 3, 4, 3);
    check_shape(graph, global, 3, 0, 0);
    check_shape(graph, dense, 5, 0, 0);
    CU_ASSERT_EQUAL(graph->tensor[same].bytes, 4 * 5 * 8 * 4);
    CU_ASSERT(!graph->tensor[x].external && !graph->tensor[dense].external);
    graph_free(graph);
}

static void test_windows(void)
{
    struct network *network = start_network(&fused);
    uint32_t x = network_input(network, "x", 8, 12, 4);
    uint32_t padded =
        network_conv_bias(network, "padded", x, network_filters(2, network_padded(5, 2, 1)), 0);
    uint32_t ceil = network_max_pool(network, "ceil", x, network_ceil(3, 2));
    uint32_t valid = network_max_pool(network, "valid", x, network_valid(3, 2));
    uint32_t dilated =
        network_conv_plain(network, "dilated", x, network_filters(3, network_dilated(3, 2)));
    uint32_t up = network_conv_transpose(network, "up", x, 5, 2);
    const uint32_t both[] = {x, dilated};
    uint32_t joined = network_concat(network, "joined", both, 2);
    uint32_t cut = network_crop(network, "cut", joined, 3, 2);
    struct graph *graph = finish_network(network, cut);
    check_shape(graph, padded, 3, 5, 2);
    check_shape(graph, ceil, 4, 6, 4);
    check_shape(graph, valid, 3, 5, 4);
    check_shape(graph, dilated, 8, 12, 3);
    check_shape(graph, up, 16, 24, 5);
    check_shape(graph, joined, 8, 12, 7);
    check_shape(graph, cut, 3, 2, 7);
    CU_ASSERT_EQUAL(graph->op[4].flops, 2 * 8 * 12 * 4 * 5 * 4);
    graph_free(graph);
}

/* x is added to what the loop's body makes of it, or goes on as it is. */
static void test_branches_and_loops(void)
{
    struct network *network = start_network(&fused);
    uint32_t x = network_input(network, "x", 1, 1, 6), y = x;
    network_open_branches(network, "choose", "If", x);
    network_open_region(network, "then", 0.25);
    struct network_loop loop = {.name = "loop", .turns = 3, .value = {x}, .values = 1};
    network_open_loop(network, &loop);
    y = network_dense(network, "dense", loop.value[0], 6, NETWORK_TANH);
    uint32_t series = network_close_loop(network, &loop, &y, y);
    network_close_region(network, loop.value, 1);
    network_open_region(network, "else", 0.75);
    network_close_region(network, &x, 1);
    network_close_branches(network, "choose", &y, 1);
    struct graph *graph = finish_network(network, y);
    CU_ASSERT_EQUAL(graph->regions, 4);
    CU_ASSERT_EQUAL(graph->operators, 3);
    CU_ASSERT_EQUAL(graph->op[1].trip_count, 3);
    CU_ASSERT_EQUAL(graph->tensor[series].dimension[1], 3);
    CU_ASSERT_EQUAL(graph->tensor[series].bytes, 3 * 6 * 4);
    CU_ASSERT_EQUAL(graph->tensor[y].bytes, 6 * 4);
    CU_ASSERT_STRING_EQUAL(
        names_get(&graph->tensor_names, graph->carried[graph->op[1].carried.first].yield), "dense");
    graph_free(graph);
}

/* x read twice: its two gradients are added; that of the sum goes to both sides as it is. */
static void test_backward(void)
{
    static const char *const names[] = {
        "a",         "b", "relu", "add", "loss", "relu.backward", "b.backward", "b.accumulate0",
        "a.backward"};
    const struct network_options training = {.batch = 1, .training = true};
    struct network *network = start_network(&training);
    uint32_t x = network_input(network, "x", 1, 1, 4);
    x = network_dense(network, "a", x, 4, NETWORK_LINEAR);
    uint32_t y = network_dense(network, "b", x, 4, NETWORK_LINEAR);
    y = network_activate(network, "relu", y, NETWORK_RELU);
    struct graph *graph = finish_network(network, network_add(network, "add", y, x, 0));
    CU_ASSERT_EQUAL_FATAL(graph->operators, 9);
    for (int i = 0; i < 9; i++)
        CU_ASSERT_STRING_EQUAL(graph_label(graph, graph->op[i].name), names[i]);
    const struct graph_operator *dense = &graph->op[6];
    CU_ASSERT_EQUAL(dense->inputs.count, 2);
    CU_ASSERT_EQUAL(graph->list[dense->inputs.first + 1], x);
    CU_ASSERT_EQUAL(dense->outputs.count, 3);
    CU_ASSERT(!graph->tensor[graph->list[dense->outputs.first]].external);
    CU_ASSERT(graph->tensor[graph->list[dense->outputs.first + 1]].external);
    CU_ASSERT_EQUAL(graph->op[8].outputs.count, 2);
    graph_free(graph);
}

static void test_weights_and_flops(void)
{
    struct network *network = start_network(&fused);
    uint32_t x = network_input(network, "x", 8, 8, 3);
    x = network_conv(network, "conv", x, network_filters(16, network_same(3, 1)), NETWORK_RELU);
    x = network_depthwise_conv(network, "depthwise", x, network_same(5, 2), NETWORK_RELU);
    x = network_dense(network, "dense", x, 10, NETWORK_LINEAR);
    struct graph *graph = finish_network(network, x);
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
    graph_free(graph);
}

static void test_not_folded(void)
{
    static const char *const types[] = {"Conv",   "BatchNormalization", "Relu6", "Add", "Relu",
                                        "Softmax"};
    const struct network_options apart = {.batch = 1};
    struct network *network = start_network(&apart);
    uint32_t x = network_input(network, "x", 8, 8, 4);
    uint32_t y =
        network_conv(network, "conv", x, network_filters(4, network_same(1, 1)), NETWORK_RELU6);
    y = network_add(network, "add", x, y, NETWORK_RELU);
    y = network_softmax(network, "softmax", y);
    struct graph *graph = finish_network(network, y);
    CU_ASSERT_EQUAL_FATAL(graph->operators, 6);
    for (int i = 0; i < 6; i++)
        CU_ASSERT_STRING_EQUAL(graph_label(graph, graph->op[i].type), types[i]);
    CU_ASSERT_EQUAL(graph->op[0].weights.count, 1);
    CU_ASSERT_EQUAL(graph->weight[1].bytes, 4 * 4 * 4);
    CU_ASSERT_EQUAL(graph->op[0].inplace.count, 0);
    CU_ASSERT_EQUAL(graph->op[3].inplace.count, 4);
    CU_ASSERT_EQUAL(graph->op[4].inplace.count, 2);
    graph_free(graph);
}

static void check_failure(struct network *network, uint32_t output, const char *expected)
{
    struct graph *graph;
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL(network_softmax(network, "after", output), 0);
    CU_ASSERT_EQUAL(network_finish(network, output, &graph, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, expected));
}

static void test_failures(void)
{
    struct network *network = start_network(&fused);
    uint32_t x = network_input(network, "x", 4, 4, 3);
    check_failure(network, network_max_pool(network, "p", x, network_valid(5, 1)),
                  "a window of 5 does not fit into 4");
    network = start_network(&fused);
    x = network_input(network, "x", 4, 4, 3);
    check_failure(
        network,
        network_conv(network, "c", x, network_filters(1, network_same(1, 0)), NETWORK_RELU),
        "stride 0");
    network = start_network(&fused);
    x = network_input(network, "x", 4, 4, 3);
    check_failure(network, network_add(network, "a", x, network_input(network, "y", 4, 4, 1), 0),
                  "unequal shapes");
    network = start_network(&fused);
    x = network_input(network, "x", 4, 4, 3);
    x = network_global_average_pool(network, "g", x);
    check_failure(network, network_max_pool(network, "p", x, network_same(1, 1)), "4 dimensions");
    network = start_network(&fused);
    check_failure(network, network_input(network, "x", UINT32_MAX, UINT32_MAX, UINT32_MAX),
                  "larger than");
}

static enum status build_small(const struct text *text, struct error *error)
{
    struct network *network;
    struct graph *graph;
    TRY(network_create(text->bytes, &(struct network_options){.batch = 1}, &network, error));
    uint32_t x = network_input(network, "x", 4, 4, 3);
    x = network_conv(network, "c", x, network_filters(4, network_same(3, 1)), NETWORK_RELU);
    x = network_dense(network, "d", x, 4, NETWORK_RELU);
    TRY(network_finish(network, x, &graph, error));
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
    {"backward operators read what they need", test_backward},
    {"weights and flops follow the shapes", test_weights_and_flops},
    {"operators stand alone when nothing is folded", test_not_folded},
    {"the first failure is kept", test_failures},
    {"every allocation may fail", test_allocations},
};
TESTING_MAIN("datasets/network_builder", cases)
