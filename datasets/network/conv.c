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
                       const struct network_line *line, const struct network_size *window,
                       uint64_t channels, uint64_t flops_per_element)
{
    const uint64_t *shape = network_shape(network, line->input[0]);
    uint64_t *dimension = layer->dimension;
    if (network_rank(network, line->input[0]) != 4) {
        network_fail(network, "layer '%s' needs an input of 4 dimensions", line->name);
        return;
    }
    layer->rank = 4;
    dimension[0] = shape[0];
    dimension[1] = slide_window(network, line, shape[1], window->height, window);
    dimension[2] = slide_window(network, line, shape[2], window->width, window);
    dimension[3] = channels;
    layer->flops = network_product(network, dimension[0], dimension[1], dimension[2], channels,
                                   window->height, window->width, flops_per_element);
}

/* Scale, shift, mean and variance per channel; 2 flops per element. */
static uint32_t add_normalisation(struct network *network, const char *name, const char *suffix,
                                  uint64_t weights_per_channel, uint32_t input)
{
    if (network->status)
        return 0;
    struct network_layer layer = {.name = name,
                                  .suffix = suffix,
                                  .type = "BatchNormalization",
                                  .input = &input,
                                  .inputs = 1,
                                  .weights = weights_per_channel * network_channels(network, input),
                                  .inplace = 1};
    return network_layer_add_like(network, &layer, input, 2);
}

/* A convolution to `channels` channels, whose filters each see `depth` channels of the input, and
   what follows it. Weights [height, width, depth, channels]; 2 flops per multiply-add. */
static uint32_t convolve(struct network *network, const struct network_line *line,
                         const struct network_size *window, uint64_t depth, uint32_t channels)
{
    bool fuses = network->options.fuse, normalised = line->shift == NETWORK_NORMALISED;
    struct network_layer layer = network_layer_of(line);
    if (line->shift == NETWORK_BIAS || (normalised && fuses))
        layer.biases = channels;
    layer.weights = network_product(network, window->height, window->width, depth, channels);
    set_window(network, &layer, line, window, channels, 2 * depth);
    uint32_t output = network_layer_add(network, &layer);
    if (normalised && !fuses)
        output = add_normalisation(network, line->name, ".bn", 4, output);
    return network_follow(network, line, output);
}

static uint32_t add_conv(struct network *network, const struct network_line *line)
{
    return convolve(network, line, &line->size[1], network_channels(network, line->input[0]),
                    line->size[0].height);
}

/* Each channel alone. */
static uint32_t add_depthwise(struct network *network, const struct network_line *line)
{
    return convolve(network, line, &line->size[0], 1, network_channels(network, line->input[0]));
}

/* Each element becomes size * size elements of each output channel, with bias. */
static uint32_t add_conv_transpose(struct network *network, const struct network_line *line)
{
    const struct network_size one = {1, 1, 1, 1};
    uint32_t channels = line->size[0].height, size = line->size[1].height;
    uint64_t depth = network_channels(network, line->input[0]);
    struct network_layer layer = network_layer_of(line);
    layer.biases = channels;
    set_window(network, &layer, line, &one, channels, 2 * depth * size * size);
    layer.dimension[1] *= size;
    layer.dimension[2] *= size;
    layer.weights = network_product(network, size, size, depth, channels);
    return network_layer_add(network, &layer);
}

/* Batch normalisation where no layer before it can take it in. */
static uint32_t add_norm(struct network *network, const struct network_line *line)
{
    uint32_t output =
        add_normalisation(network, line->name, NULL, network->options.fuse ? 2 : 4, line->input[0]);
    return network_follow(network, line, output);
}

/* One flop per element of each window. */
static uint32_t add_pool(struct network *network, const struct network_line *line)
{
    struct network_layer layer = network_layer_of(line);
    set_window(network, &layer, line, &line->size[0], network_channels(network, line->input[0]), 1);
    return network_layer_add(network, &layer);
}

const struct network_layer_kind network_window_layers[] = {
    {"conv", "Conv", 1, add_conv},
    {"depthwise", "DepthwiseConv", 1, add_depthwise},
    {"conv_transpose", "ConvTranspose", 1, add_conv_transpose},
    {"norm", "BatchNormalization", 1, add_norm},
    {"max_pool", "MaxPool", 1, add_pool},
    {"average_pool", "AveragePool", 1, add_pool},
    {NULL, NULL, 0, NULL},
};
