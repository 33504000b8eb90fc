#include "datasets/network/layer.h"

/* Inputs of the graph, and layers that change the shape and not the values: pooling over the whole
   image, joining, cutting, scaling. */

/* The batch and the line's sizes: of inputs, and of any operator the shape of whose output is
   given. */
static void fill_sizes(struct network *network, struct network_layer *layer)
{
    const struct network_line *line = layer->line;
    layer->rank = 0;
    layer->dimension[layer->rank++] = (uint64_t)network->options.batch * line->times;
    for (uint32_t i = 0; i < line->sizes; i++)
        layer->dimension[layer->rank++] = line->size[i].height;
}

/* Height and width are those that the options say, if they do. */
static void fill_image(struct network *network, struct network_layer *layer)
{
    const struct network_options *options = &network->options;
    fill_sizes(network, layer);
    if (options->height)
        layer->dimension[1] = options->height;
    if (options->width)
        layer->dimension[2] = options->width;
    layer->kind = 0;
}

/* Averages over height and width: [batch, channels], or [batch, 1, 1, channels]. */
static void pool_all(struct network *network, struct network_layer *layer, uint32_t rank)
{
    uint32_t channels = network_channels(network, layer->input[0]);
    layer->flops = network_elements(network, layer->input[0]);
    layer->rank = rank;
    for (uint32_t i = 1; i < rank; i++)
        layer->dimension[i] = 1;
    layer->dimension[rank - 1] = channels;
}

static void fill_global_pool(struct network *network, struct network_layer *layer)
{
    pool_all(network, layer, 2);
}

static void fill_squeeze(struct network *network, struct network_layer *layer)
{
    pool_all(network, layer, 4);
}

static void join(struct network *network, struct network_layer *layer, uint32_t axis)
{
    for (uint32_t i = 1; i < layer->inputs; i++) {
        const uint64_t *joined = network_shape(network, layer->input[i]);
        bool fits = network_rank(network, layer->input[i]) == layer->rank;
        for (uint32_t k = 0; k < layer->rank && fits; k++)
            fits = k == axis || joined[k] == layer->dimension[k];
        if (!fits)
            network_fail(network, "layer '%s' joins tensors of unequal shapes", layer->name);
        layer->dimension[axis] += joined[axis];
    }
}

/* Side by side along the last dimension, or along the one after the batch. */
static void fill_concat(struct network *network, struct network_layer *layer)
{
    join(network, layer, layer->rank - 1);
}

static void fill_rows(struct network *network, struct network_layer *layer)
{
    join(network, layer, 1);
}

/* The first input in the height and width of the second, of which it does not read more. */
static void change_image(struct network *network, struct network_layer *layer,
                         uint64_t flops_per_element)
{
    const uint64_t *wanted = network_shape(network, layer->input[1]);
    layer->inputs = 1;
    layer->dimension[1] = wanted[1];
    layer->dimension[2] = wanted[2];
    layer->flops = network_product(network, layer->dimension[0], wanted[1], wanted[2],
                                   layer->dimension[3], flops_per_element);
}

static void fill_crop(struct network *network, struct network_layer *layer)
{
    const uint64_t *wanted = network_shape(network, layer->input[1]);
    if (layer->dimension[1] < wanted[1] || layer->dimension[2] < wanted[2])
        network_fail(network, "layer '%s' cuts %ux%u out of less", layer->name, (unsigned)wanted[1],
                     (unsigned)wanted[2]);
    change_image(network, layer, 0);
}

static void fill_resize(struct network *network, struct network_layer *layer)
{
    change_image(network, layer, 8);
}

/* Zeros around: the sizes say how many more rows, columns and channels. */
static void fill_pad(struct network *network, struct network_layer *layer)
{
    (void)network;
    for (uint32_t i = 0; i < 3; i++)
        layer->dimension[1 + i] += layer->line->size[i].height;
}

/* The elements in another shape, of which one size may be 0: what the others leave. */
static void fill_reshape(struct network *network, struct network_layer *layer)
{
    uint64_t elements = network_elements(network, layer->input[0]);
    uint64_t rest = elements / network->options.batch;
    layer->inplace = 1;
    fill_sizes(network, layer);
    for (uint32_t i = 1; i < layer->rank; i++)
        rest /= layer->dimension[i] ? layer->dimension[i] : 1;
    for (uint32_t i = 1; i < layer->rank; i++)
        layer->dimension[i] = layer->dimension[i] ? layer->dimension[i] : rest;
    if (network_multiply_counts(network, layer->dimension, layer->rank) != elements)
        network_fail(network, "layer '%s' changes the number of elements", layer->name);
}

const struct network_layer_kind network_shape_layers[] = {
    {"image", "", 0, NETWORK_INPUT, 0, fill_image},
    {"input", "", 0, NETWORK_INPUT, 0, fill_sizes},
    {"external", "", 0, NETWORK_OFF_CHIP, 0, fill_sizes},
    {"zeros", "Zeros", 0, NETWORK_OPERATOR, 0, fill_sizes},
    {"operator", NULL, NETWORK_ANY_INPUTS, NETWORK_OPERATOR, 0, fill_sizes},
    {"global_pool", "GlobalAveragePool", 1, NETWORK_OPERATOR, 0, fill_global_pool},
    {"squeeze", "GlobalAveragePool", 1, NETWORK_OPERATOR, 0, fill_squeeze},
    {"concat", "Concat", NETWORK_SOME_INPUTS, NETWORK_OPERATOR, 0, fill_concat},
    {"rows", "Concat", NETWORK_SOME_INPUTS, NETWORK_OPERATOR, 0, fill_rows},
    {"crop", "Slice", 2, NETWORK_OPERATOR, 0, fill_crop},
    {"resize", "ResizeBilinear", 2, NETWORK_OPERATOR, 0, fill_resize},
    {"pad", "Pad", 1, NETWORK_OPERATOR, 0, fill_pad},
    {"reshape", "Reshape", 1, NETWORK_OPERATOR, 0, fill_reshape},
    {NULL, NULL, 0, NETWORK_OPERATOR, 0, NULL},
};
