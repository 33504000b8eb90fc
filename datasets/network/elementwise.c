#include <string.h>

#include "datasets/network/layer.h"

/* Layers that work element by element, and dense ones. */

static const struct activation_row {
    const char *suffix, *type;
    uint64_t flops; /* per element */
    bool folds;
} activations[NETWORK_ACTIVATIONS] = {
    [NETWORK_LINEAR] = {".linear", "", 0, true},
    [NETWORK_RELU] = {".relu", "Relu", 1, true},
    [NETWORK_RELU6] = {".relu6", "Relu6", 2, true},
    [NETWORK_TANH] = {".tanh", "Tanh", 4, true},
    [NETWORK_SIGMOID] = {".sigmoid", "Sigmoid", 4, false},
    [NETWORK_SWISH] = {".swish", "Swish", 5, false},
    [NETWORK_HARD_SIGMOID] = {".hard_sigmoid", "HardSigmoid", 4, false},
    [NETWORK_HARD_SWISH] = {".hard_swish", "HardSwish", 5, false},
    [NETWORK_GELU] = {".gelu", "Gelu", 8, false},
};

enum network_activation network_activation_find(const char *name)
{
    for (enum network_activation i = 0; i < NETWORK_ACTIVATIONS; i++)
        if (strcmp(activations[i].suffix + 1, name) == 0)
            return i;
    return NETWORK_ACTIVATIONS;
}

/* An operator of one input that keeps its shape. */
static uint32_t add_elementwise(struct network *network, struct network_layer layer, uint32_t input,
                                uint64_t flops_per_element)
{
    layer.input = &input;
    layer.inputs = 1;
    layer.inplace = 1;
    return network_layer_add_like(network, &layer, input, flops_per_element);
}

uint32_t network_follow(struct network *network, const struct network_line *line, uint32_t input)
{
    const struct activation_row *row = &activations[line->activation];
    if (line->activation == NETWORK_LINEAR || (network->options.fuse && row->folds))
        return input;
    struct network_layer layer = {.name = line->name, .suffix = row->suffix, .type = row->type};
    return add_elementwise(network, layer, input, row->flops);
}

static uint32_t add_activation(struct network *network, const struct network_line *line)
{
    const struct activation_row *row = &activations[line->activation];
    struct network_layer layer = {.name = line->name, .type = row->type};
    return add_elementwise(network, layer, line->input[0], row->flops);
}

static uint32_t add_softmax(struct network *network, const struct network_line *line)
{
    return add_elementwise(network, network_layer_of(line), line->input[0], 3);
}

/* All inputs to each of the outputs, with bias. */
static uint32_t add_dense(struct network *network, const struct network_line *line)
{
    uint64_t batch = network->options.batch, features = line->size[0].height;
    uint64_t depth = network_elements(network, line->input[0]) / batch;
    struct network_layer layer = network_layer_of(line);
    layer.rank = 2;
    layer.dimension[0] = batch;
    layer.dimension[1] = layer.biases = features;
    layer.weights = network_product(network, depth, features);
    layer.flops = network_product(network, depth, features, batch, 2);
    return network_follow(network, line, network_layer_add(network, &layer));
}

static bool shapes_equal(const struct network *network, const uint32_t *pair)
{
    return memcmp(network_shape(network, pair[0]), network_shape(network, pair[1]),
                  sizeof network->graph->tensor->dimension) == 0;
}

static uint32_t add_sum(struct network *network, const struct network_line *line)
{
    struct network_layer layer = network_layer_of(line);
    layer.inplace = 2;
    if (!shapes_equal(network, line->input))
        return network_fail(network, "layer '%s' adds tensors of unequal shapes", line->name);
    return network_follow(network, line,
                          network_layer_add_like(network, &layer, line->input[0], 1));
}

/* The right one may be smaller and is repeated. */
static uint32_t add_product(struct network *network, const struct network_line *line)
{
    struct network_layer layer = network_layer_of(line);
    layer.inplace = shapes_equal(network, line->input) ? 2 : 1;
    return network_layer_add_like(network, &layer, line->input[0], 1);
}

/* Any operator whose output is as large as an input, with so many flops per element. */
static uint32_t add_same(struct network *network, const struct network_line *line)
{
    struct network_layer layer = network_layer_of(line);
    if (line->like > line->inputs)
        return network_fail(network, "layer '%s' has no input %u", line->name, line->like);
    return network_layer_add_like(network, &layer, line->input[line->like - 1],
                                  line->size[0].height);
}

const struct network_layer_kind network_element_layers[] = {
    {"activate", "", 1, add_activation},
    {"softmax", "Softmax", 1, add_softmax},
    {"dense", "Dense", 1, add_dense},
    {"add", "Add", 2, add_sum},
    {"mul", "Mul", 2, add_product},
    {"same", NULL, NETWORK_ANY_INPUTS, add_same},
    {NULL, NULL, 0, NULL},
};
