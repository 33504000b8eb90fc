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
        if (activations[i].suffix[1] == *name && strcmp(activations[i].suffix + 1, name) == 0)
            return i;
    return NETWORK_ACTIVATIONS;
}

uint32_t network_follow(struct network *network, const struct network_line *line, uint32_t input)
{
    const struct activation_row *row = &activations[line->activation];
    if (line->activation == NETWORK_LINEAR || (network->options.fuse && row->folds))
        return input;
    const struct network_layer layer = {
        .name = line->name, .suffix = row->suffix, .type = row->type};
    return network_element_add(network, &layer, input, row->flops);
}

static void fill_activation(struct network *network, struct network_layer *layer)
{
    const struct activation_row *row = &activations[layer->line->activation];
    layer->type = row->type;
    layer->inplace = 1;
    layer->flops = network_product(network, network_elements(network, layer->input[0]), row->flops);
}

static void fill_softmax(struct network *network, struct network_layer *layer)
{
    (void)network;
    layer->inplace = 1;
}

/* All inputs to each of the outputs, with bias. */
static void fill_dense(struct network *network, struct network_layer *layer)
{
    uint64_t batch = network->options.batch, features = layer->line->size[0].height;
    uint64_t depth = network_elements(network, layer->input[0]) / batch;
    layer->rank = 2;
    layer->dimension[0] = batch;
    layer->dimension[1] = layer->biases = features;
    layer->weights = network_product(network, depth, features);
    layer->flops = network_product(network, depth, features, batch, 2);
}

static bool shapes_equal(const struct network *network, const uint32_t *pair)
{
    return memcmp(network_shape(network, pair[0]), network_shape(network, pair[1]),
                  sizeof network->graph->tensor->dimension) == 0;
}

static void fill_sum(struct network *network, struct network_layer *layer)
{
    layer->inplace = 2;
    if (!shapes_equal(network, layer->input))
        network_fail(network, "layer '%s' adds tensors of unequal shapes", layer->name);
}

/* The right one may be smaller and is repeated. */
static void fill_product(struct network *network, struct network_layer *layer)
{
    layer->inplace = shapes_equal(network, layer->input) ? 2 : 1;
}

/* Any operator whose output is as large as an input, with a number of flops per element. */
static void fill_same(struct network *network, struct network_layer *layer)
{
    uint32_t like = layer->line->like;
    if (like > layer->inputs) {
        network_fail(network, "layer '%s' has no input %u", layer->name, like);
        return;
    }
    network_layer_shape_like(network, layer, layer->input[like - 1]);
    layer->flops = network_product(network, network_elements(network, layer->input[like - 1]),
                                   layer->line->size[0].height);
}

const struct network_layer_kind network_element_layers[] = {
    {"activate", "", 1, NETWORK_OPERATOR, 0, fill_activation},
    {"softmax", "Softmax", 1, NETWORK_OPERATOR, 3, fill_softmax},
    {"dense", "Dense", 1, NETWORK_FOLLOWED, 0, fill_dense},
    {"add", "Add", 2, NETWORK_FOLLOWED, 1, fill_sum},
    {"mul", "Mul", 2, NETWORK_OPERATOR, 1, fill_product},
    {"same", NULL, NETWORK_SOME_INPUTS, NETWORK_OPERATOR, 0, fill_same},
    {NULL, NULL, 0, NETWORK_OPERATOR, 0, NULL},
};
