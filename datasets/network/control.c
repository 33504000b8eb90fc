#include <stdio.h>

#include "datasets/network/layer.h"
#include "planning/graph/build.h"

void network_open_branches(struct network *network, const char *name, const char *type,
                           uint32_t condition)
{
    uint32_t added;
    if (!network->status && network_keep(network, graph_open_operator(network->graph, name, type,
                                                                      &added, &network->error)))
        network_keep(network,
                     graph_operator_inputs(network->graph, &condition, 1, &network->error));
}

void network_open_region(struct network *network, const char *name, double probability)
{
    if (!network->status)
        network_keep(network,
                     graph_open_region(network->graph, name, probability, &network->error));
}

void network_close_region(struct network *network, const uint32_t *yields, uint32_t count)
{
    if (!network->status)
        network_keep(network, graph_close_region(network->graph, yields, count, &network->error));
}

/* Adds a tensor of the same shape as another one under a new name. */
static uint32_t add_like(struct network *network, const char *name, const char *kind,
                         uint32_t number, uint32_t like)
{
    char text[128];
    if (network->status)
        return 0;
    const struct graph_tensor copied = network->graph->tensor[like];
    uint32_t added = 0;
    const struct graph_tensor_spec spec = {.name = text,
                                           .has_shape = true,
                                           .dtype = copied.dtype,
                                           .dimensions = copied.dimension,
                                           .rank = copied.rank};
    snprintf(text, sizeof text, "%s.%s%u", name, kind, number);
    network_keep(network, graph_add_tensor(network->graph, &spec, &added, &network->error));
    return added;
}

static void close_operator(struct network *network, const uint32_t *output, uint32_t count)
{
    if (!network->status && network_keep(network, graph_operator_outputs(network->graph, output,
                                                                         count, &network->error)))
        graph_close_operator(network->graph);
}

void network_close_branches(struct network *network, const char *name, uint32_t *output,
                            uint32_t count)
{
    struct graph *graph = network->graph;
    if (network->status)
        return;
    uint32_t first = graph->op[graph->building->open_operator].first_region;
    for (uint32_t i = 0; i < count; i++)
        output[i] =
            add_like(network, name, "out", i, graph->list[graph->region[first].yields.first + i]);
    close_operator(network, output, count);
}

void network_open_loop(struct network *network, struct network_loop *loop)
{
    struct graph *graph = network->graph;
    if (network->status || !network_keep(network, graph_open_operator(graph, loop->name, "Loop",
                                                                      &loop->op, &network->error)))
        return;
    graph->op[loop->op].loop = true;
    graph->op[loop->op].trip_count = loop->turns;
    for (uint32_t i = 0; i < loop->values; i++) {
        /* What it yields is known only in network_close_loop. */
        struct graph_carried carried = {.init = loop->value[i], .yield = loop->value[i]};
        carried.argument = add_like(network, loop->name, "carried", i, carried.init);
        carried.result = add_like(network, loop->name, "out", i, carried.init);
        loop->value[i] = carried.argument;
        loop->result[i] = carried.result;
        if (!network->status)
            network_keep(network, graph_operator_carried(graph, &carried, &network->error));
    }
    network_open_region(network, "body", -1);
}

uint32_t network_close_loop(struct network *network, struct network_loop *loop,
                            const uint32_t *next, uint32_t each)
{
    struct graph *graph = network->graph;
    uint32_t outputs[NETWORK_MOST_CARRIED + 1], count = loop->values, series = NETWORK_NOTHING;
    network_close_region(network, &each, each != NETWORK_NOTHING);
    if (network->status)
        return 0;
    for (uint32_t i = 0; i < loop->values; i++) {
        graph->carried[graph->op[loop->op].carried.first + i].yield = next[i];
        outputs[i] = loop->value[i] = loop->result[i];
    }
    if (each != NETWORK_NOTHING) { /* what all turns give, side by side */
        char name[128];
        const uint64_t dimension[] = {network_shape(network, each)[0], loop->turns,
                                      network_channels(network, each)};
        snprintf(name, sizeof name, "%s.series", loop->name);
        outputs[count++] = series = network_tensor(network, name, dimension, 3, 0);
    }
    close_operator(network, outputs, count);
    return series;
}
