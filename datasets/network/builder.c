#include "datasets/network/builder.h"

#include <stdio.h>

#include "core/memory.h"
#include "datasets/network/layer.h"
#include "planning/graph/assign_streams.h"
#include "planning/graph/build.h"

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

static enum status append_tensor(uint32_t **list, uint32_t *count, size_t *capacity,
                                 uint32_t tensor, struct error *error)
{
    TRY(memory_reserve(list, capacity, (size_t)*count + 1, sizeof **list, error));
    (*list)[(*count)++] = tensor;
    return STATUS_OK;
}

static uint32_t add_input(struct network *network, const char *name, const uint64_t *dimension,
                          uint32_t rank, unsigned kind)
{
    uint32_t tensor = network_tensor(network, name, dimension, rank, kind);
    if (!network->status)
        network_keep(network, append_tensor(&network->input, &network->inputs,
                                            &network->input_capacity, tensor, &network->error));
    return tensor;
}

uint32_t network_input(struct network *network, const char *name, uint32_t height, uint32_t width,
                       uint32_t channels)
{
    const uint64_t dimension[] = {network->options.batch, height, width, channels};
    return add_input(network, name, dimension, 4, false);
}

uint32_t network_image(struct network *network, const char *name, uint32_t height, uint32_t width,
                       uint32_t channels)
{
    const struct network_options *options = &network->options;
    return network_input(network, name, options->height ? options->height : height,
                         options->width ? options->width : width, channels);
}

uint32_t network_tokens(struct network *network, const char *name, uint32_t sequence)
{
    const uint64_t dimension[] = {network->options.batch, sequence};
    return add_input(network, name, dimension, 2, true);
}

uint32_t network_series(struct network *network, const char *name, uint32_t sequence,
                        uint32_t features)
{
    const uint64_t dimension[] = {network->options.batch, sequence, features};
    return add_input(network, name, dimension, 3, false);
}

uint32_t network_sequence(const struct network *network, uint32_t published)
{
    return network->options.sequence ? network->options.sequence : published;
}

uint32_t network_batch(const struct network *network)
{
    return network->options.batch;
}

uint32_t network_channels(const struct network *network, uint32_t tensor)
{
    if (network->status)
        return 1;
    return (uint32_t)network_shape(network, tensor)[network->graph->tensor[tensor].rank - 1];
}

void network_output(struct network *network, uint32_t tensor)
{
    if (!network->status)
        network_keep(network, append_tensor(&network->output, &network->outputs,
                                            &network->output_capacity, tensor, &network->error));
}

static enum status finish_graph(struct network *network, uint32_t output, struct error *error)
{
    network_output(network, output);
    if (network->options.training && !network->status) {
        network->output[0] = network_train(network);
        network->outputs = 1;
    }
    if (network->status) {
        *error = network->error;
        return network->status;
    }
    TRY(graph_set_inputs(network->graph, network->input, network->inputs, error));
    TRY(graph_finish(network->graph, network->output, network->outputs, NULL, error));
    return network->options.streams > 1
               ? graph_assign_streams(network->graph, network->options.streams, error)
               : STATUS_OK;
}

enum status network_finish(struct network *network, uint32_t output, struct graph **graph,
                           struct error *error)
{
    enum status status = finish_graph(network, output, error);
    if (status)
        graph_free(network->graph);
    else
        *graph = network->graph;
    memory_free(network->input);
    memory_free(network->output);
    memory_free(network);
    return status;
}
