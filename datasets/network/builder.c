#include "core/memory.h"
#include "datasets/network/layer.h"
#include "datasets/network/script.h"
#include "planning/graph/assign_streams.h"
#include "planning/graph/build.h"

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

enum status network_build(const struct text *text, const char *network_name, const char *name,
                          const struct network_options *options, struct graph **graph,
                          struct error *error)
{
    struct network network = {.options = *options};
    TRY(graph_create(&network.graph, name, error));
    uint32_t output = script_run(&network, text, network_name);
    enum status status = finish_graph(&network, output, error);
    if (status)
        graph_free(network.graph);
    else
        *graph = network.graph;
    memory_free(network.input);
    memory_free(network.output);
    return status;
}
