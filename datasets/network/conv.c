#include <inttypes.h>

#include "datasets/network/layer.h"

/* Layers that slide a window over an image. */

static uint64_t divide_up(uint64_t dividend, uint64_t divisor)
{
    return dividend / divisor + (dividend % divisor != 0);
}

/* The number of positions of a window along one side. */
static uint64_t slide_window(struct network *network, const struct network_line *line,
                             uint64_t inputs, uint64_t size, const struct network_size *window)
{
    if (!size || !window->stride || !window->dilation) {
        network_fail(network, "a window has size or stride 0");
        return 1;
    }
    uint64_t reach = (size - 1) * window->dilation + 1;
    if (line->padding == NETWORK_SAME)
        return divide_up(inputs, window->stride);
    if (line->padding == NETWORK_PADDED)
        inputs += 2 * (uint64_t)line->pad;
    if (reach > inputs) {
        network_fail(network, "a window of %" PRIu64 " does not fit into %" PRIu64, reach, inputs);
        return 1;
    }
    if (line->padding == NETWORK_CEIL)
        return divide_up(inputs - reach, window->stride) + 1;
    return (inputs - reach) / window->stride + 1;
}

/* Fills the output's shape and the flops. */
static void set_window(struct network *network, struct network_layer *layer,
                       const struct network_size *window, uint64_t channels,
                       uint64_t flops_per_element)
{
    const struct network_line *line = layer->line;
    uint64_t *dimension = layer->dimension;
    if (layer->rank != 4) {
        network_fail(network, "layer '%s' needs an input of 4 dimensions", line->name);
        return;
    }
    dimension[1] = slide_window(network, line, dimension[1], window->height, window);
    dimension[2] = slide_window(network, line, dimension[2], window->width, window);
    dimension[3] = channels;
    layer->flops = network_product(network, dimension[0], dimension[1], dimension[2], channels,
                                   window->height, window->width, flops_per_element);
}

/* A convolution to `channels` channels, whose filters each see `depth` channels of the input.
   Weights [height, width, depth, channels]; 2 flops per multiply-add. */
static void convolve(struct network *network, struct network_layer *layer,
                     const struct network_size *window, uint64_t depth, uint32_t channels)
{
    bool fuses = network->options.fuse, normalised = layer->line->shift == NETWORK_NORMALISED;
    if (layer->line->shift == NETWORK_BIAS || (normalised && fuses))
        layer->biases = channels;
    layer->normalised = normalised && !fuses;
    layer->weights = network_product(network, window->height, window->width, depth, channels);
    set_window(network, layer, window, channels, 2 * depth);
}

static void fill_conv(struct network *network, struct network_layer *layer)
{
    convolve(network, layer, &layer->line->size[1], network_channels(network, layer->input[0]),
             layer->line->size[0].height);
}

/* Each channel alone. */
static void fill_depthwise(struct network *network, struct network_layer *layer)
{
    convolve(network, layer, &layer->line->size[0], 1, network_channels(network, layer->input[0]));
}

/* Each element becomes size * size elements of each output channel, with bias. */
static void fill_conv_transpose(struct network *network, struct network_layer *layer)
{
    const struct network_size one = {1, 1, 1, 1};
    uint32_t channels = layer->line->size[0].height, size = layer->line->size[1].height;
    uint64_t depth = network_channels(network, layer->input[0]);
    layer->biases = channels;
    set_window(network, layer, &one, channels, 2 * depth * size * size);
    layer->dimension[1] *= size;
    layer->dimension[2] *= size;
    layer->weights = network_product(network, size, size, depth, channels);
}

/* Batch normalisation where no layer before it can take it in: scale, shift, mean and variance per
   channel, or what is left of them when they are folded. */
static void fill_norm(struct network *network, struct network_layer *layer)
{
    uint64_t weights_per_channel = network->options.fuse ? 2 : 4;
    layer->weights = weights_per_channel * network_channels(network, layer->input[0]);
    layer->inplace = 1;
}

/* One flop per element of each window. */
static void fill_pool(struct network *network, struct network_layer *layer)
{
    set_window(network, layer, &layer->line->size[0], network_channels(network, layer->input[0]),
               1);
}

const struct network_layer_kind network_window_layers[] = {
    {"conv", "Conv", 1, NETWORK_FOLLOWED, 0, fill_conv},
    {"depthwise", "DepthwiseConv", 1, NETWORK_FOLLOWED, 0, fill_depthwise},
    {"conv_transpose", "ConvTranspose", 1, NETWORK_OPERATOR, 0, fill_conv_transpose},
    {"norm", "BatchNormalization", 1, NETWORK_FOLLOWED, 2, fill_norm},
    {"max_pool", "MaxPool", 1, NETWORK_OPERATOR, 0, fill_pool},
    {"average_pool", "AveragePool", 1, NETWORK_OPERATOR, 0, fill_pool},
    {NULL, NULL, 0, NETWORK_OPERATOR, 0, NULL},
};
