#include <string.h>

#include "datasets/network/layer.h"

/* Inputs of the graph, and layers that change the shape and not the values: pooling of all,
   joining, cutting, scaling. */

/* The batch and the line's sizes. */
static void set_shape(const struct network *network, struct network_layer *layer,
                      const struct network_line *line)
{
    layer->dimension[layer->rank++] = (uint64_t)network->options.batch * line->times;
    for (uint32_t i = 0; i < line->sizes; i++)
        layer->dimension[layer->rank++] = line->size[i].height;
}

/* Any operator, the shape of whose output is given. */
static uint32_t add_operator(struct network *network, const struct network_line *line)
{
    struct network_layer layer = network_layer_of(line);
    set_shape(network, &layer, line);
    return network_layer_add(network, &layer);
}

static uint32_t add_input(struct network *network, const struct network_line *line)
{
    struct network_layer layer = network_layer_of(line);
    set_shape(network, &layer, line);
    return network_input(network, line->name, layer.dimension, layer.rank, line->kind);
}

/* Height and width are those that the options say, if they do. */
static uint32_t add_image(struct network *network, const struct network_line *line)
{
    const struct network_options *options = &network->options;
    struct network_layer layer = network_layer_of(line);
    set_shape(network, &layer, line);
    if (options->height)
        layer.dimension[1] = options->height;
    if (options->width)
        layer.dimension[2] = options->width;
    return network_input(network, line->name, layer.dimension, layer.rank, 0);
}

/* A tensor outside the arena that no operator writes. */
static uint32_t add_external(struct network *network, const struct network_line *line)
{
    struct network_layer layer = network_layer_of(line);
    set_shape(network, &layer, line);
    return network_tensor(network, line->name, layer.dimension, layer.rank, NETWORK_EXTERNAL);
}

/* Averages over height and width: [batch, channels], or [batch, 1, 1, channels]. */
static uint32_t pool_all(struct network *network, const struct network_line *line, uint32_t rank)
{
    struct network_layer layer = network_layer_of(line);
    layer.rank = rank;
    for (uint32_t i = 0; i < rank; i++)
        layer.dimension[i] = 1;
    layer.dimension[0] = network_shape(network, line->input[0])[0];
    layer.dimension[rank - 1] = network_channels(network, line->input[0]);
    layer.flops = network_elements(network, line->input[0]);
    return network_layer_add(network, &layer);
}

static uint32_t add_global_pool(struct network *network, const struct network_line *line)
{
    return pool_all(network, line, 2);
}

static uint32_t add_squeeze(struct network *network, const struct network_line *line)
{
    return pool_all(network, line, 4);
}

static uint32_t join(struct network *network, const struct network_line *line, uint32_t axis)
{
    struct network_layer layer = network_layer_of(line);
    network_layer_shape_like(network, &layer, line->input[0]);
    for (uint32_t i = 1; i < line->inputs; i++) {
        const uint64_t *joined = network_shape(network, line->input[i]);
        bool fits = network_rank(network, line->input[i]) == layer.rank;
        for (uint32_t k = 0; k < layer.rank && fits; k++)
            fits = k == axis || joined[k] == layer.dimension[k];
        if (!fits)
            return network_fail(network, "layer '%s' joins tensors of unequal shapes", line->name);
        layer.dimension[axis] += joined[axis];
    }
    return network_layer_add(network, &layer);
}

/* Side by side along the last dimension, or along the one after the batch. */
static uint32_t add_concat(struct network *network, const struct network_line *line)
{
    return join(network, line, network_rank(network, line->input[0]) - 1);
}

static uint32_t add_rows(struct network *network, const struct network_line *line)
{
    return join(network, line, 1);
}

/* The first input in the height and width of the second, of which it does not read more. */
static uint32_t change_image(struct network *network, const struct network_line *line,
                             uint64_t flops_per_element)
{
    const uint64_t *wanted = network_shape(network, line->input[1]);
    struct network_layer layer = network_layer_of(line);
    layer.inputs = 1;
    network_layer_shape_like(network, &layer, line->input[0]);
    layer.dimension[1] = wanted[1];
    layer.dimension[2] = wanted[2];
    layer.flops = network_product(network, layer.dimension[0], wanted[1], wanted[2],
                                  layer.dimension[3], flops_per_element);
    return network_layer_add(network, &layer);
}

static uint32_t add_crop(struct network *network, const struct network_line *line)
{
    const uint64_t *shape = network_shape(network, line->input[0]);
    const uint64_t *wanted = network_shape(network, line->input[1]);
    if (shape[1] < wanted[1] || shape[2] < wanted[2])
        return network_fail(network, "layer '%s' cuts %ux%u out of less", line->name,
                            (unsigned)wanted[1], (unsigned)wanted[2]);
    return change_image(network, line, 0);
}

static uint32_t add_resize(struct network *network, const struct network_line *line)
{
    return change_image(network, line, 8);
}

/* Zeros around: the sizes say how many more rows, columns and channels. */
static uint32_t add_pad(struct network *network, const struct network_line *line)
{
    struct network_layer layer = network_layer_of(line);
    network_layer_shape_like(network, &layer, line->input[0]);
    for (uint32_t i = 0; i < 3; i++)
        layer.dimension[1 + i] += line->size[i].height;
    return network_layer_add(network, &layer);
}

/* The elements in another shape, of which one size may be 0: what the others leave. */
static uint32_t add_reshape(struct network *network, const struct network_line *line)
{
    uint64_t elements = network_elements(network, line->input[0]);
    struct network_layer layer = network_layer_of(line);
    uint64_t rest = elements / network->options.batch;
    layer.inplace = 1;
    set_shape(network, &layer, line);
    for (uint32_t i = 1; i < layer.rank; i++)
        rest /= layer.dimension[i] ? layer.dimension[i] : 1;
    for (uint32_t i = 1; i < layer.rank; i++)
        layer.dimension[i] = layer.dimension[i] ? layer.dimension[i] : rest;
    if (network_multiply_counts(network, layer.dimension, layer.rank) != elements)
        return network_fail(network, "layer '%s' changes the number of elements", line->name);
    return network_layer_add(network, &layer);
}

const struct network_layer_kind network_shape_layers[] = {
    {"image", "", 0, add_image},
    {"input", "", 0, add_input},
    {"external", "", 0, add_external},
    {"zeros", "Zeros", 0, add_operator},
    {"operator", NULL, NETWORK_ANY_INPUTS, add_operator},
    {"global_pool", "GlobalAveragePool", 1, add_global_pool},
    {"squeeze", "GlobalAveragePool", 1, add_squeeze},
    {"concat", "Concat", NETWORK_ANY_INPUTS, add_concat},
    {"rows", "Concat", NETWORK_ANY_INPUTS, add_rows},
    {"crop", "Slice", 2, add_crop},
    {"resize", "ResizeBilinear", 2, add_resize},
    {"pad", "Pad", 1, add_pad},
    {"reshape", "Reshape", 1, add_reshape},
    {NULL, NULL, 0, NULL},
};
