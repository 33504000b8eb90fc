#include "datasets/network/layer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
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

uint32_t network_rank(const struct network *network, uint32_t tensor)
{
    return network->graph->tensor[tensor].rank;
}

uint32_t network_channels(const struct network *network, uint32_t tensor)
{
    return (uint32_t)network_shape(network, tensor)[network_rank(network, tensor) - 1];
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

uint32_t network_tensor(struct network *network, const char *name, const uint64_t *dimensions,
                        uint32_t rank, unsigned kind)
{
    uint32_t tensor = 0;
    struct graph_tensor_spec spec = {.name = name,
                                     .has_shape = true,
                                     .dtype = network->options.dtype,
                                     .dimensions = dimensions,
                                     .rank = rank,
                                     .external = kind & NETWORK_EXTERNAL};
    if (kind & NETWORK_INDEX)
        graph_dtype_find("int32", &spec.dtype);
    if (!network->status)
        network_keep(network, graph_add_tensor(network->graph, &spec, &tensor, &network->error));
    return network->status ? 0 : tensor;
}

static void append_tensor(struct network *network, uint32_t **list, uint32_t *count,
                          size_t *capacity, uint32_t tensor)
{
    if (!network->status && network_keep(network, memory_reserve(list, capacity, (size_t)*count + 1,
                                                                 sizeof **list, &network->error)))
        (*list)[(*count)++] = tensor;
}

uint32_t network_input(struct network *network, const char *name, const uint64_t *dimensions,
                       uint32_t rank, unsigned kind)
{
    uint32_t tensor = network_tensor(network, name, dimensions, rank, kind);
    append_tensor(network, &network->input, &network->inputs, &network->input_capacity, tensor);
    return tensor;
}

void network_output(struct network *network, uint32_t tensor)
{
    append_tensor(network, &network->output, &network->outputs, &network->output_capacity, tensor);
}

/* Two texts one after the other, cut off at the end of `joined`. Each layer needs some. */
static void join(const char *first, const char *second, char joined[MOST_NAME_BYTES])
{
    size_t length = strnlen(first, MOST_NAME_BYTES - 1);
    size_t added = strnlen(second, MOST_NAME_BYTES - 1 - length);
    memcpy(joined, first, length);
    memcpy(joined + length, second, added);
    joined[length + added] = '\0';
}

static enum status add_weight(struct network *network, const char *layer, const char *kind,
                              uint64_t elements, struct error *error)
{
    char name[MOST_NAME_BYTES];
    uint64_t bytes;
    if (!elements)
        return STATUS_OK;
    if (!graph_shape_bytes(network->options.dtype, &elements, 1, &bytes))
        return error_set(error, STATUS_BAD_INPUT, "weights of '%s' are too large", layer);
    join(layer, kind, name);
    return graph_operator_weight(network->graph, name, network->options.dtype, bytes, error);
}

static enum status add_operator(struct network *network, const char *name,
                                const struct network_layer *layer, uint32_t output,
                                struct error *error)
{
    static const uint32_t inplace_pairs[] = {0, 0, 1, 0};
    uint32_t added;
    struct graph *graph = network->graph;
    const char *owner = layer->weights_of ? layer->weights_of : name;
    TRY(graph_open_operator(graph, name, layer->type, &added, error));
    graph->op[added].flops = (int64_t)layer->flops;
    TRY(graph_operator_inputs(graph, layer->input, layer->inputs, error));
    TRY(graph_operator_outputs(graph, &output, 1, error));
    TRY(add_weight(network, owner, ".weight", layer->weights, error));
    TRY(add_weight(network, owner, ".bias", layer->biases, error));
    TRY(graph_operator_inplace(graph, inplace_pairs, layer->inplace, error));
    graph_close_operator(graph);
    return STATUS_OK;
}

static uint32_t add_layer(struct network *network, const struct network_layer *layer)
{
    char name[MOST_NAME_BYTES];
    join(layer->name, layer->suffix ? layer->suffix : "", name);
    uint32_t output = network_tensor(network, name, layer->dimension, layer->rank, layer->kind);
    if (network->status)
        return 0;
    network_keep(network, add_operator(network, name, layer, output, &network->error));
    return network->status ? 0 : output;
}

uint32_t network_element_add(struct network *network, const struct network_layer *layer,
                             uint32_t input, uint64_t flops_per_element)
{
    struct network_layer element = *layer;
    if (network->status)
        return 0;
    element.input = &input;
    element.inputs = element.inplace = 1;
    network_layer_shape_like(network, &element, input);
    element.flops = network_product(network, network_elements(network, input), flops_per_element);
    return add_layer(network, &element);
}

uint32_t network_line_add(struct network *network, const struct network_layer_kind *kind,
                          const struct network_line *line)
{
    struct network_layer layer = {.line = line,
                                  .name = line->name,
                                  .type = line->type,
                                  .weights_of = line->weights_of,
                                  .input = line->input,
                                  .inputs = line->inputs,
                                  .inplace = line->inplace,
                                  .kind = line->kind};
    if (line->inputs)
        network_layer_shape_like(network, &layer, line->input[0]);
    kind->fill(network, &layer);
    if (network->status)
        return 0;
    if (kind->makes == NETWORK_INPUT)
        return network_input(network, line->name, layer.dimension, layer.rank, layer.kind);
    if (kind->makes == NETWORK_OFF_CHIP)
        return network_tensor(network, line->name, layer.dimension, layer.rank, NETWORK_EXTERNAL);
    if (kind->flops)
        layer.flops =
            network_product(network, network_elements(network, line->input[0]), kind->flops);
    uint32_t output = add_layer(network, &layer);
    if (layer.normalised && !network->status) {
        /* Scale, shift, mean and variance per channel. */
        const struct network_layer normalisation = {
            .name = line->name,
            .suffix = ".bn",
            .type = "BatchNormalization",
            .weights = 4 * (uint64_t)network_channels(network, output)};
        output = network_element_add(network, &normalisation, output, 2);
    }
    return kind->makes == NETWORK_FOLLOWED ? network_follow(network, line, output) : output;
}
