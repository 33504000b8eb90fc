#include <inttypes.h>
#include <string.h>

#include "core/checked.h"
#include "datasets/network_layer.h"

static enum status multiply(const uint64_t *factors, uint32_t count, uint64_t *product,
                            struct error *error)
{
    *product = 1;
    for (uint32_t i = 0; i < count; i++)
        if (!checked_multiply(*product, factors[i], product))
            return error_set(error, STATUS_BAD_INPUT, "a layer is too large to count");
    return *product <= INT64_MAX
               ? STATUS_OK
               : error_set(error, STATUS_BAD_INPUT, "a layer is too large to count");
}

static const uint64_t *get_shape(const struct network *network, uint32_t tensor)
{
    return network->graph->tensor[tensor].dimension;
}

static uint64_t count_elements(const struct network *network, uint32_t tensor)
{
    const struct graph_tensor *counted = &network->graph->tensor[tensor];
    uint64_t elements = 1;
    for (uint32_t i = 0; i < counted->rank; i++)
        elements *= counted->dimension[i];
    return elements;
}

/* An operator of one input that keeps its shape. */
static enum status add_elementwise(struct network *network, const char *name, const char *suffix,
                                   const char *type, uint64_t weights, uint64_t flops_per_element,
                                   uint32_t *tensor, struct error *error)
{
    struct network_layer layer = {.name = name,
                                  .suffix = suffix,
                                  .type = type,
                                  .input = {*tensor},
                                  .inputs = 1,
                                  .rank = network->graph->tensor[*tensor].rank,
                                  .weights = weights,
                                  .inplace = true};
    memcpy(layer.dimension, get_shape(network, *tensor), sizeof layer.dimension);
    const uint64_t factors[] = {count_elements(network, *tensor), flops_per_element};
    TRY(multiply(factors, 2, &layer.flops, error));
    return network_layer_add(network, &layer, tensor, error);
}

/* What follows a layer where nothing is folded into it. */
static enum status add_activation(struct network *network, const char *name,
                                  enum network_activation activation, uint32_t *tensor,
                                  struct error *error)
{
    if (network->options.fuse || activation == NETWORK_LINEAR)
        return STATUS_OK;
    return activation == NETWORK_RELU
               ? add_elementwise(network, name, ".relu", "Relu", 0, 1, tensor, error)
               : add_elementwise(network, name, ".relu6", "Relu6", 0, 2, tensor, error);
}

/* Scale, shift, mean and variance per channel; 2 flops per element. */
static enum status add_normalisation(struct network *network, const char *name, uint64_t channels,
                                     uint32_t *tensor, struct error *error)
{
    if (network->options.fuse)
        return STATUS_OK;
    return add_elementwise(network, name, ".bn", "BatchNormalization", 4 * channels, 2, tensor,
                           error);
}

static enum status slide_window(uint64_t inputs, struct network_window window, uint64_t *outputs,
                                struct error *error)
{
    uint64_t starts = window.padding == NETWORK_SAME ? inputs : inputs - window.size + 1;
    if (!window.size || !window.stride)
        return error_set(error, STATUS_BAD_INPUT, "a window has size or stride 0");
    if (window.padding == NETWORK_VALID && window.size > inputs)
        return error_set(error, STATUS_BAD_INPUT, "a window of %u does not fit into %" PRIu64,
                         window.size, inputs);
    *outputs = starts / window.stride + (starts % window.stride != 0);
    return STATUS_OK;
}

/* Fills the output's shape and the flops of a layer that slides a window over its input. */
static enum status set_window(struct network *network, struct network_layer *layer,
                              struct network_window window, uint64_t channels,
                              uint64_t flops_per_element, struct error *error)
{
    const uint64_t *shape = get_shape(network, layer->input[0]);
    layer->inputs = 1;
    layer->rank = 4;
    layer->dimension[0] = shape[0];
    layer->dimension[3] = channels;
    if (network->graph->tensor[layer->input[0]].rank != 4)
        return error_set(error, STATUS_BAD_INPUT, "layer '%s' needs an input of 4 dimensions",
                         layer->name);
    TRY(slide_window(shape[1], window, &layer->dimension[1], error));
    TRY(slide_window(shape[2], window, &layer->dimension[2], error));
    const uint64_t factors[] = {shape[0],    layer->dimension[1], layer->dimension[2], channels,
                                window.size, window.size,         flops_per_element};
    return multiply(factors, 7, &layer->flops, error);
}

/* A convolution whose filters each see `depth` channels. */
static enum status add_conv(struct network *network, struct network_layer *layer, uint64_t depth,
                            uint64_t channels, struct network_window window,
                            enum network_activation activation, uint32_t *output,
                            struct error *error)
{
    const uint64_t factors[] = {window.size, window.size, depth, channels};
    TRY(multiply(factors, 4, &layer->weights, error));
    TRY(set_window(network, layer, window, channels, 2 * depth, error));
    layer->biases = network->options.fuse ? channels : 0;
    TRY(network_layer_add(network, layer, output, error));
    TRY(add_normalisation(network, layer->name, channels, output, error));
    return add_activation(network, layer->name, activation, output, error);
}

uint32_t network_conv(struct network *network, const char *name, uint32_t input, uint32_t channels,
                      struct network_window window, enum network_activation activation)
{
    struct network_layer layer = {.name = name, .type = "Conv", .input = {input}};
    uint32_t output = 0;
    if (network->status)
        return 0;
    return network_layer_keep(network,
                              add_conv(network, &layer, get_shape(network, input)[3], channels,
                                       window, activation, &output, &network->error),
                              &output);
}

uint32_t network_depthwise_conv(struct network *network, const char *name, uint32_t input,
                                struct network_window window, enum network_activation activation)
{
    struct network_layer layer = {.name = name, .type = "DepthwiseConv", .input = {input}};
    uint32_t output = 0;
    if (network->status)
        return 0;
    return network_layer_keep(network,
                              add_conv(network, &layer, 1, get_shape(network, input)[3], window,
                                       activation, &output, &network->error),
                              &output);
}

static enum status add_dense(struct network *network, const char *name, uint32_t input,
                             uint32_t features, enum network_activation activation,
                             uint32_t *output, struct error *error)
{
    uint64_t batch = network->options.batch, depth = count_elements(network, input) / batch;
    struct network_layer layer = {.name = name,
                                  .type = "Dense",
                                  .input = {input},
                                  .inputs = 1,
                                  .dimension = {batch, features},
                                  .rank = 2,
                                  .biases = features};
    const uint64_t factors[] = {depth, features, batch, 2};
    TRY(multiply(factors, 2, &layer.weights, error));
    TRY(multiply(factors, 4, &layer.flops, error));
    TRY(network_layer_add(network, &layer, output, error));
    return add_activation(network, name, activation, output, error);
}

uint32_t network_dense(struct network *network, const char *name, uint32_t input, uint32_t features,
                       enum network_activation activation)
{
    uint32_t output = 0;
    if (network->status)
        return 0;
    return network_layer_keep(
        network, add_dense(network, name, input, features, activation, &output, &network->error),
        &output);
}

static uint32_t add_pool(struct network *network, const char *name, const char *type,
                         uint32_t input, struct network_window window)
{
    struct network_layer layer = {.name = name, .type = type, .input = {input}};
    uint32_t output = 0;
    if (network->status)
        return 0;
    enum status status =
        set_window(network, &layer, window, get_shape(network, input)[3], 1, &network->error);
    if (!status)
        status = network_layer_add(network, &layer, &output, &network->error);
    return network_layer_keep(network, status, &output);
}

uint32_t network_max_pool(struct network *network, const char *name, uint32_t input,
                          struct network_window window)
{
    return add_pool(network, name, "MaxPool", input, window);
}

uint32_t network_average_pool(struct network *network, const char *name, uint32_t input,
                              struct network_window window)
{
    return add_pool(network, name, "AveragePool", input, window);
}

uint32_t network_global_average_pool(struct network *network, const char *name, uint32_t input)
{
    uint32_t output = 0;
    if (network->status)
        return 0;
    const uint64_t *shape = get_shape(network, input);
    struct network_layer layer = {.name = name,
                                  .type = "GlobalAveragePool",
                                  .input = {input},
                                  .inputs = 1,
                                  .dimension = {shape[0], shape[3]},
                                  .rank = 2,
                                  .flops = count_elements(network, input)};
    return network_layer_keep(network, network_layer_add(network, &layer, &output, &network->error),
                              &output);
}

static enum status add_sum(struct network *network, const char *name, uint32_t left, uint32_t right,
                           enum network_activation activation, uint32_t *output,
                           struct error *error)
{
    struct network_layer layer = {.name = name,
                                  .type = "Add",
                                  .input = {left, right},
                                  .inputs = 2,
                                  .rank = network->graph->tensor[left].rank,
                                  .flops = count_elements(network, left),
                                  .inplace = true};
    memcpy(layer.dimension, get_shape(network, left), sizeof layer.dimension);
    if (memcmp(layer.dimension, get_shape(network, right), sizeof layer.dimension) != 0)
        return error_set(error, STATUS_BAD_INPUT, "layer '%s' adds tensors of unequal shapes",
                         name);
    TRY(network_layer_add(network, &layer, output, error));
    return add_activation(network, name, activation, output, error);
}

uint32_t network_add(struct network *network, const char *name, uint32_t left, uint32_t right,
                     enum network_activation activation)
{
    uint32_t output = 0;
    if (network->status)
        return 0;
    return network_layer_keep(
        network, add_sum(network, name, left, right, activation, &output, &network->error),
        &output);
}

uint32_t network_softmax(struct network *network, const char *name, uint32_t input)
{
    uint32_t output = input;
    if (network->status)
        return 0;
    return network_layer_keep(
        network, add_elementwise(network, name, NULL, "Softmax", 0, 3, &output, &network->error),
        &output);
}
