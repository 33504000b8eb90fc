#include <inttypes.h>
#include <stdio.h>

#include "datasets/network/conv.h"
#include "datasets/network/elementwise.h"
#include "datasets/network/layer.h"
#include "datasets/network/shape.h"

/* Layers that slide a window over an image. */

static uint64_t fail_to_fit(struct network *network, uint64_t window, uint64_t inputs)
{
    network_fail(network, "a window of %" PRIu64 " does not fit into %" PRIu64, window, inputs);
    return 1;
}

static uint64_t divide_up(uint64_t dividend, uint64_t divisor)
{
    return dividend / divisor + (dividend % divisor != 0);
}

/* The number of positions of a window along one side. */
static uint64_t slide_window(struct network *network, uint64_t inputs, uint64_t size,
                             struct network_window window)
{
    if (!size || !window.stride || !window.dilation) {
        network_fail(network, "a window has size or stride 0");
        return 1;
    }
    uint64_t reach = (size - 1) * window.dilation + 1;
    if (window.padding == NETWORK_SAME)
        return divide_up(inputs, window.stride);
    if (window.padding == NETWORK_PADDED)
        inputs += 2 * (uint64_t)window.pad;
    if (reach > inputs)
        return fail_to_fit(network, reach, inputs);
    if (window.padding == NETWORK_CEIL)
        return divide_up(inputs - reach, window.stride) + 1;
    return (inputs - reach) / window.stride + 1;
}

/* Fills the output's shape and the flops; layer->input is set. */
static void set_window(struct network *network, struct network_layer *layer,
                       struct network_window window, uint64_t channels, uint64_t flops_per_element)
{
    const uint64_t *shape = network_shape(network, *layer->input);
    uint64_t *dimension = layer->dimension;
    if (network->graph->tensor[*layer->input].rank != 4) {
        network_fail(network, "layer '%s' needs an input of 4 dimensions", layer->name);
        return;
    }
    layer->inputs = 1;
    layer->rank = 4;
    dimension[0] = shape[0];
    dimension[1] = slide_window(network, shape[1], window.height, window);
    dimension[2] = slide_window(network, shape[2], window.width, window);
    dimension[3] = channels;
    layer->flops = network_product(network, dimension[0], dimension[1], dimension[2], channels,
                                   window.height, window.width, flops_per_element);
}

/* A convolution whose filters each see `depth` channels. */
static uint32_t add_conv(struct network *network, struct network_layer *layer, uint64_t depth,
                         struct network_filters filters)
{
    struct network_window window = filters.window;
    layer->weights = network_product(network, window.height, window.width, depth, filters.channels);
    set_window(network, layer, window, filters.channels, 2 * depth);
    return network_layer_add(network, layer);
}

/* Scale, shift, mean and variance per channel; 2 flops per element. */
static uint32_t add_normalisation(struct network *network, const char *name, const char *suffix,
                                  uint64_t weights_per_channel, uint32_t input)
{
    if (network->status)
        return 0;
    uint64_t channels = network_channels(network, input);
    struct network_layer layer = {.name = name,
                                  .suffix = suffix,
                                  .type = "BatchNormalization",
                                  .input = &input,
                                  .inputs = 1,
                                  .weights = weights_per_channel * channels,
                                  .inplace = 1};
    return network_layer_add_like(network, &layer, input, 2);
}

static uint32_t add_normalised_conv(struct network *network, struct network_layer *layer,
                                    uint64_t depth, struct network_filters filters,
                                    enum network_activation activation)
{
    layer->biases = network->options.fuse ? filters.channels : 0;
    uint32_t output = add_conv(network, layer, depth, filters);
    if (!network->options.fuse)
        output = add_normalisation(network, layer->name, ".bn", 4, output);
    return network_follow(network, layer->name, activation, output);
}

uint32_t network_conv(struct network *network, const char *name, uint32_t input,
                      struct network_filters filters, enum network_activation activation)
{
    struct network_layer layer = {.name = name, .type = "Conv", .input = &input};
    if (network->status)
        return 0;
    return add_normalised_conv(network, &layer, network_channels(network, input), filters,
                               activation);
}

uint32_t network_conv_bias(struct network *network, const char *name, uint32_t input,
                           struct network_filters filters, enum network_activation activation)
{
    struct network_layer layer = {
        .name = name, .type = "Conv", .input = &input, .biases = filters.channels};
    if (network->status)
        return 0;
    uint32_t output = add_conv(network, &layer, network_channels(network, input), filters);
    return network_follow(network, name, activation, output);
}

uint32_t network_conv_plain(struct network *network, const char *name, uint32_t input,
                            struct network_filters filters)
{
    struct network_layer layer = {.name = name, .type = "Conv", .input = &input};
    if (network->status)
        return 0;
    return add_conv(network, &layer, network_channels(network, input), filters);
}

uint32_t network_depthwise_conv(struct network *network, const char *name, uint32_t input,
                                struct network_window window, enum network_activation activation)
{
    struct network_layer layer = {.name = name, .type = "DepthwiseConv", .input = &input};
    if (network->status)
        return 0;
    struct network_filters filters = {network_channels(network, input), window};
    return add_normalised_conv(network, &layer, 1, filters, activation);
}

uint32_t network_conv_transpose(struct network *network, const char *name, uint32_t input,
                                uint32_t channels, uint32_t size)
{
    struct network_layer layer = {
        .name = name, .type = "ConvTranspose", .input = &input, .biases = channels};
    if (network->status)
        return 0;
    uint64_t depth = network_channels(network, input);
    set_window(network, &layer, network_same(1, 1), channels, 2 * depth * size * size);
    layer.dimension[1] *= size;
    layer.dimension[2] *= size;
    layer.weights = network_product(network, size, size, depth, channels);
    return network_layer_add(network, &layer);
}

uint32_t network_normalise(struct network *network, const char *name, uint32_t input,
                           enum network_activation activation)
{
    uint32_t output = add_normalisation(network, name, NULL, network->options.fuse ? 2 : 4, input);
    return network_follow(network, name, activation, output);
}

static uint32_t add_pool(struct network *network, const char *name, const char *type,
                         uint32_t input, struct network_window window)
{
    struct network_layer layer = {.name = name, .type = type, .input = &input};
    if (network->status)
        return 0;
    set_window(network, &layer, window, network_channels(network, input), 1);
    return network_layer_add(network, &layer);
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

uint32_t network_squeeze_excite(struct network *network, const char *name, uint32_t input,
                                struct network_excitation excitation)
{
    char layer[64];
    uint32_t channels = network_channels(network, input);
    snprintf(layer, sizeof layer, "%s_squeeze", name);
    uint32_t x = network_squeeze(network, layer, input);
    snprintf(layer, sizeof layer, "%s_reduce", name);
    x = network_conv_bias(network, layer, x,
                          network_filters(excitation.channels, network_same(1, 1)),
                          excitation.inner);
    snprintf(layer, sizeof layer, "%s_expand", name);
    x = network_conv_bias(network, layer, x, network_filters(channels, network_same(1, 1)),
                          excitation.gate);
    snprintf(layer, sizeof layer, "%s_scale", name);
    return network_multiply(network, layer, input, x);
}
