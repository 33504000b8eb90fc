#include "planning/graph/graph.h"

#include <assert.h>

#include "core/memory.h"

void graph_free(struct graph *graph)
{
    if (!graph)
        return;
    names_free(&graph->name);
    names_free(&graph->tensor_names);
    names_free(&graph->labels);
    names_free(&graph->streams);
    names_free(&graph->engines);
    memory_free(graph->note);
    memory_free(graph->tensor);
    memory_free(graph->weight);
    memory_free(graph->carried);
    memory_free(graph->op);
    memory_free(graph->region);
    memory_free(graph->list);
    memory_free(graph);
}

const char *graph_label(const struct graph *graph, uint32_t label)
{
    return names_get(&graph->labels, label);
}

const char *graph_name(const struct graph *graph)
{
    return names_get(&graph->name, 0);
}

bool graph_has_control_flow(const struct graph *graph)
{
    assert(graph->regions > 0);
    return graph->regions > 1;
}

bool graph_has_streams(const struct graph *graph)
{
    for (uint32_t o = 1; o < graph->operators; o++)
        if (graph->op[o].stream != graph->op[0].stream)
            return true;
    return false;
}

bool graph_has_devices(const struct graph *graph)
{
    const struct graph_tensor *first = NULL;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        if (graph->tensor[t].external)
            continue;
        if (first && graph->tensor[t].device != first->device)
            return true;
        first = &graph->tensor[t];
    }
    return false;
}
