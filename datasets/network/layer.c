#include "datasets/network/layer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/checked.h"
#include "planning/graph/build.h"
#include "planning/graph/dtype.h"

enum { MOST_NAME_BYTES = 128 };

uint32_t network_fail(struct network *network, const char *format, ...)
{
    char text[256];
    va_list arguments;
    if (network->status)
        return 0;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    network->status = error_set(&network->error, STATUS_BAD_INPUT, "%s", text);
    return 0;
}

bool network_keep(struct network *network, enum status status)
{
    network->status = status;
    return !status;
}

uint64_t network_multiply_counts(struct network *network, const uint64_t *factors, uint32_t count)
{
    uint64_t product = 1;
    for (uint32_t i = 0; i < count; i++)
        if (!checked_multiply(product, factors[i], &product) || product > INT64_MAX)
            return network_fail(network, "a layer is too large to count");
    return product;
}

const uint64_t *network_shape(const struct network *network, uint32_t tensor)
{
    return network->graph->tensor[tensor].dimension;
}

uint64_t network_elements(const struct network *network, uint32_t tensor)
{
    const struct graph_tensor *counted = &network->graph->tensor[tensor];
    uint64_t elements = 1;
    for (uint32_t i = 0; i < counted->rank; i++)
        elements *= counted->dimension[i];
    return elements;
}

void network_layer_shape_like(const struct network *network, struct network_layer *layer,
                              uint32_t tensor)
{
    layer->rank = network->graph->tensor[tensor].rank;
    memcpy(layer->dimension, network_shape(network, tensor), sizeof layer->dimension);
}

static uint8_t find_dtype(const struct network *network, unsigned kind)
{
    uint8_t dtype = network->options.dtype;
    if (kind & NETWORK_INDEX)
        graph_dtype_find("int32", &dtype);
    return dtype;
}

uint32_t network_tensor(struct network *network, const char *name, const uint64_t *dimensions,
                        uint32_t rank, unsigned kind)
{
    uint32_t tensor = 0;
    if (network->status)
        return 0;
    network_keep(network,
                 graph_add_tensor(network->graph,
                                  &(struct graph_tensor_spec){.name = name,
                                                              .has_shape = true,
                                                              .dtype = find_dtype(network, kind),
                                                              .dimensions = dimensions,
                                                              .rank = rank,
                                                              .external = kind & NETWORK_EXTERNAL},
                                  &tensor, &network->error));
    return network->status ? 0 : tensor;
}

static enum status add_weight(struct network *network, const char *layer, const char *kind,
                              uint64_t elements, struct error *error)
{
    char name[MOST_NAME_BYTES + 16];
    uint64_t bytes;
    if (!elements)
        return STATUS_OK;
    if (!graph_shape_bytes(network->options.dtype, &elements, 1, &bytes))
        return error_set(error, STATUS_BAD_INPUT, "weights of '%s' are too large", layer);
    snprintf(name, sizeof name, "%s.%s", layer, kind);
    return graph_operator_weight(network->graph, name, network->options.dtype, bytes, error);
}

static enum status add_inplace(struct network *network, const struct network_layer *layer,
                               struct error *error)
{
    static const uint32_t pairs[] = {0, 0, 1, 0};
    return graph_operator_inplace(network->graph, pairs, layer->inplace, error);
}

static enum status add_operator(struct network *network, const char *name,
                                const struct network_layer *layer, uint32_t output,
                                struct error *error)
{
    uint32_t added;
    struct graph *graph = network->graph;
    const char *owner = layer->weights_of ? layer->weights_of : name;
    TRY(graph_open_operator(graph, name, layer->type, &added, error));
    struct graph_operator *opened = &graph->op[added];
    opened->flops = (int64_t)layer->flops;
    TRY(graph_operator_inputs(graph, layer->input, layer->inputs, error));
    TRY(graph_operator_outputs(graph, &output, 1, error));
    TRY(add_weight(network, owner, "weight", layer->weights, error));
    TRY(add_weight(network, owner, "bias", layer->biases, error));
    TRY(add_inplace(network, layer, error));
    graph_close_operator(graph);
    return STATUS_OK;
}

uint32_t network_layer_add(struct network *network, const struct network_layer *layer)
{
    char name[MOST_NAME_BYTES];
    snprintf(name, sizeof name, "%s%s", layer->name, layer->suffix ? layer->suffix : "");
    uint32_t output = network_tensor(network, name, layer->dimension, layer->rank, layer->kind);
    if (network->status)
        return 0;
    network_keep(network, add_operator(network, name, layer, output, &network->error));
    return network->status ? 0 : output;
}

uint32_t network_layer_add_like(struct network *network, struct network_layer *layer, uint32_t like,
                                uint64_t flops_per_element)
{
    if (network->status)
        return 0;
    network_layer_shape_like(network, layer, like);
    layer->flops = network_product(network, network_elements(network, like), flops_per_element);
    return network_layer_add(network, layer);
}
