#include "datasets/network_builder.h"

#include <stdio.h>

#include "core/memory.h"
#include "datasets/network_layer.h"

enum { MOST_NAME_BYTES = 128 };

enum status network_create(const char *name, const struct network_options *options,
                           struct network **created, struct error *error)
{
    struct network *network;
    TRY(memory_create(&network, 1, sizeof *network, error));
    network->options = *options;
    enum status status = graph_create(&network->graph, name, error);
    if (status) {
        memory_free(network);
        return status;
    }
    *created = network;
    return STATUS_OK;
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
    return graph_operator_inplace(network->graph, pairs, layer->inplace ? layer->inputs : 0, error);
}

enum status network_layer_add(struct network *network, const struct network_layer *layer,
                              uint32_t *output, struct error *error)
{
    char name[MOST_NAME_BYTES];
    uint32_t added;
    struct graph *graph = network->graph;
    snprintf(name, sizeof name, "%s%s", layer->name, layer->suffix ? layer->suffix : "");
    TRY(graph_add_tensor(graph, name, network->options.dtype, layer->dimension, layer->rank, false,
                         output, error));
    TRY(graph_open_operator(graph, name, layer->type, &added, error));
    struct graph_operator *opened = &graph->operator[added];
    opened->flops = (int64_t)layer->flops;
    TRY(graph_operator_inputs(graph, layer->input, layer->inputs, error));
    TRY(graph_operator_outputs(graph, output, 1, error));
    TRY(add_weight(network, name, "weight", layer->weights, error));
    TRY(add_weight(network, name, "bias", layer->biases, error));
    TRY(add_inplace(network, layer, error));
    graph_close_operator(graph);
    return STATUS_OK;
}

uint32_t network_layer_keep(struct network *network, enum status status, const uint32_t *output)
{
    network->status = status;
    return status ? 0 : *output;
}

static enum status add_input(struct network *network, const char *name, const uint64_t dimension[4],
                             uint32_t *tensor, struct error *error)
{
    TRY(memory_reserve(&network->input, &network->input_capacity, (size_t)network->inputs + 1,
                       sizeof *network->input, error));
    TRY(graph_add_tensor(network->graph, name, network->options.dtype, dimension, 4, false, tensor,
                         error));
    network->input[network->inputs++] = *tensor;
    return STATUS_OK;
}

uint32_t network_input(struct network *network, const char *name, uint32_t height, uint32_t width,
                       uint32_t channels)
{
    const uint64_t dimension[] = {network->options.batch, height, width, channels};
    uint32_t tensor = 0;
    if (network->status)
        return 0;
    return network_layer_keep(
        network, add_input(network, name, dimension, &tensor, &network->error), &tensor);
}

enum status network_finish(struct network *network, uint32_t output, struct graph **graph,
                           struct error *error)
{
    enum status status = network->status;
    if (status)
        *error = network->error;
    if (!status)
        status = graph_set_inputs(network->graph, network->input, network->inputs, error);
    if (!status)
        status = graph_finish(network->graph, &output, 1, NULL, error);
    if (status)
        graph_free(network->graph);
    else
        *graph = network->graph;
    memory_free(network->input);
    memory_free(network);
    return status;
}
