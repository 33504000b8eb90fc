#include <stdio.h>
#include <string.h>

#include "datasets/network/elementwise.h"
#include "datasets/network/layer.h"

/* Layers that work element by element, and dense ones. */

static const struct activation_row {
    const char *suffix, *type;
    uint64_t flops; /* per element */
    bool folds;
} activations[] = {
    [NETWORK_LINEAR] = {"", "", 0, true},
    [NETWORK_RELU] = {".relu", "Relu", 1, true},
    [NETWORK_RELU6] = {".relu6", "Relu6", 2, true},
    [NETWORK_TANH] = {".tanh", "Tanh", 4, true},
    [NETWORK_SIGMOID] = {".sigmoid", "Sigmoid", 4, false},
    [NETWORK_SWISH] = {".swish", "Swish", 5, false},
    [NETWORK_HARD_SIGMOID] = {".hard_sigmoid", "HardSigmoid", 4, false},
    [NETWORK_HARD_SWISH] = {".hard_swish", "HardSwish", 5, false},
    [NETWORK_GELU] = {".gelu", "Gelu", 8, false},
};

/* An operator of one input that keeps its shape. */
static uint32_t add_elementwise(struct network *network, struct network_layer layer, uint32_t input,
                                uint64_t flops_per_element)
{
    layer.input = &input;
    layer.inputs = 1;
    layer.inplace = 1;
    return network_layer_add_like(network, &layer, input, flops_per_element);
}

uint32_t network_follow(struct network *network, const char *name,
                        enum network_activation activation, uint32_t input)
{
    const struct activation_row *row = &activations[activation];
    if (activation == NETWORK_LINEAR || (network->options.fuse && row->folds))
        return input;
    struct network_layer layer = {.name = name, .suffix = row->suffix, .type = row->type};
    return add_elementwise(network, layer, input, row->flops);
}

uint32_t network_activate(struct network *network, const char *name, uint32_t input,
                          enum network_activation activation)
{
    const struct activation_row *row = &activations[activation];
    struct network_layer layer = {.name = name, .type = row->type};
    return add_elementwise(network, layer, input, row->flops);
}

uint32_t network_softmax(struct network *network, const char *name, uint32_t input)
{
    struct network_layer layer = {.name = name, .type = "Softmax"};
    return add_elementwise(network, layer, input, 3);
}

uint32_t network_dense(struct network *network, const char *name, uint32_t input, uint32_t features,
                       enum network_activation activation)
{
    if (network->status)
        return 0;
    uint64_t batch = network->options.batch, depth = network_elements(network, input) / batch;
    struct network_layer layer = {.name = name,
                                  .type = "Dense",
                                  .input = &input,
                                  .inputs = 1,
                                  .dimension = {batch, features},
                                  .rank = 2,
                                  .weights = network_product(network, depth, features),
                                  .biases = features,
                                  .flops = network_product(network, depth, features, batch, 2)};
    return network_follow(network, name, activation, network_layer_add(network, &layer));
}

static uint32_t combine(struct network *network, const char *name, const char *type,
                        const uint32_t inputs[2], uint32_t inplace)
{
    struct network_layer layer = {
        .name = name, .type = type, .input = inputs, .inputs = 2, .inplace = inplace};
    return network_layer_add_like(network, &layer, inputs[0], 1);
}

static bool shapes_equal(const struct network *network, uint32_t left, uint32_t right)
{
    return memcmp(network_shape(network, left), network_shape(network, right),
                  sizeof network->graph->tensor->dimension) == 0;
}

uint32_t network_add(struct network *network, const char *name, uint32_t left, uint32_t right,
                     enum network_activation activation)
{
    if (network->status)
        return 0;
    if (!shapes_equal(network, left, right))
        return network_fail(network, "layer '%s' adds tensors of unequal shapes", name);
    return network_follow(network, name, activation,
                          combine(network, name, "Add", (const uint32_t[]){left, right}, 2));
}

uint32_t network_multiply(struct network *network, const char *name, uint32_t left, uint32_t right)
{
    if (network->status)
        return 0;
    return combine(network, name, "Mul", (const uint32_t[]){left, right},
                   shapes_equal(network, left, right) ? 2 : 1);
}
