#include <inttypes.h>
#include <string.h>

#include "datasets/network/layer.h"
#include "datasets/network/shape.h"

/* Layers that change the shape and not the values: pooling of all, joining, cutting, scaling. */

static uint32_t add_global_pool(struct network *network, const char *name, uint32_t input,
                                uint32_t rank)
{
    struct network_layer layer = {
        .name = name, .type = "GlobalAveragePool", .input = &input, .inputs = 1, .rank = rank};
    if (network->status)
        return 0;
    for (uint32_t i = 0; i < rank; i++)
        layer.dimension[i] = 1;
    layer.dimension[0] = network_shape(network, input)[0];
    layer.dimension[rank - 1] = network_channels(network, input);
    layer.flops = network_elements(network, input);
    return network_layer_add(network, &layer);
}

uint32_t network_global_average_pool(struct network *network, const char *name, uint32_t input)
{
    return add_global_pool(network, name, input, 2);
}

uint32_t network_squeeze(struct network *network, const char *name, uint32_t input)
{
    return add_global_pool(network, name, input, 4);
}

static bool shapes_fit(const struct network *network, uint32_t left, uint32_t right, uint32_t axis)
{
    const struct graph_tensor *tensor = network->graph->tensor;
    for (uint32_t i = 0; i < tensor[left].rank; i++)
        if (i != axis && tensor[left].dimension[i] != tensor[right].dimension[i])
            return false;
    return tensor[left].rank == tensor[right].rank;
}

static uint32_t join(struct network *network, const char *name, const uint32_t *inputs,
                     uint32_t count, uint32_t axis)
{
    struct network_layer layer = {.name = name, .type = "Concat", .input = inputs, .inputs = count};
    network_layer_shape_like(network, &layer, inputs[0]);
    for (uint32_t i = 1; i < count; i++) {
        if (!shapes_fit(network, inputs[0], inputs[i], axis))
            return network_fail(network, "layer '%s' joins tensors of unequal shapes", name);
        layer.dimension[axis] += network_shape(network, inputs[i])[axis];
    }
    return network_layer_add(network, &layer);
}

uint32_t network_concat(struct network *network, const char *name, const uint32_t *inputs,
                        uint32_t count)
{
    if (network->status)
        return 0;
    return join(network, name, inputs, count, network->graph->tensor[inputs[0]].rank - 1u);
}

uint32_t network_rows(struct network *network, const char *name, const uint32_t *inputs,
                      uint32_t count)
{
    if (network->status)
        return 0;
    return join(network, name, inputs, count, 1);
}

/* The layer's one input with another height and width. */
static uint32_t change_image(struct network *network, struct network_layer *layer, uint32_t height,
                             uint32_t width, uint64_t flops_per_element)
{
    if (network->status)
        return 0;
    network_layer_shape_like(network, layer, *layer->input);
    layer->dimension[1] = height;
    layer->dimension[2] = width;
    layer->flops = network_product(network, layer->dimension[0], height, width, layer->dimension[3],
                                   flops_per_element);
    return network_layer_add(network, layer);
}

uint32_t network_crop(struct network *network, const char *name, uint32_t input, uint32_t height,
                      uint32_t width)
{
    if (network->status)
        return 0;
    const uint64_t *shape = network_shape(network, input);
    if (shape[1] < height || shape[2] < width)
        return network_fail(network, "layer '%s' cuts %ux%u out of less", name, height, width);
    struct network_layer layer = {.name = name, .type = "Slice", .input = &input, .inputs = 1};
    return change_image(network, &layer, height, width, 0);
}

uint32_t network_resize(struct network *network, const char *name, uint32_t input, uint32_t height,
                        uint32_t width)
{
    struct network_layer layer = {
        .name = name, .type = "ResizeBilinear", .input = &input, .inputs = 1};
    return change_image(network, &layer, height, width, 8);
}

uint32_t network_reshape(struct network *network, const char *name, uint32_t input,
                         const uint64_t *dimensions, uint32_t rank)
{
    struct network_layer layer = {
        .name = name, .type = "Reshape", .input = &input, .inputs = 1, .rank = rank, .inplace = 1};
    if (network->status)
        return 0;
    memcpy(layer.dimension, dimensions, rank * sizeof *dimensions);
    if (network_multiply_counts(network, dimensions, rank) != network_elements(network, input))
        return network_fail(network, "layer '%s' changes the number of elements", name);
    return network_layer_add(network, &layer);
}
