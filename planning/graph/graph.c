#include "planning/graph/graph.h"

#include "core/memory.h"
#include "planning/graph/dtype.h"

void graph_free(struct graph *graph)
{
    if (!graph)
        return;
    names_free(&graph->name);
    names_free(&graph->tensor_names);
    names_free(&graph->labels);
    names_free(&graph->streams);
    names_free(&graph->engines);
    memory_free_all(graph->note, graph->tensor, graph->weight, graph->carried, graph->op,
                    graph->region, graph->list, graph->building, graph);
}

uint64_t graph_alignment(const struct graph *graph, uint32_t tensor)
{
    assert(tensor < graph->tensors);
    const struct graph_tensor *of = &graph->tensor[tensor];
    return of->has_shape ? graph_dtype_alignment(of->dtype) : 1;
}

uint32_t graph_position(const struct graph *graph, struct span tensors, uint32_t tensor)
{
    uint32_t at = 0;
    while (at < tensors.count && graph->list[tensors.first + at] != tensor)
        at++;
    return at;
}

const struct graph_carried *graph_find_argument(const struct graph *graph, uint32_t op,
                                                uint32_t tensor)
{
    assert(op < graph->operators);
    struct span carried = graph->op[op].carried;
    for (uint32_t c = carried.first; c < carried.first + carried.count; c++)
        if (graph->carried[c].argument == tensor)
            return &graph->carried[c];
    return NULL;
}

const struct graph_carried *graph_find_carried_result(const struct graph *graph, uint32_t op,
                                                      uint32_t tensor)
{
    assert(op < graph->operators);
    struct span carried = graph->op[op].carried;
    for (uint32_t c = carried.first; c < carried.first + carried.count; c++)
        if (graph->carried[c].result == tensor)
            return &graph->carried[c];
    return NULL;
}

uint32_t graph_number_steps(const struct graph *graph, uint32_t *enter_step, uint32_t *leave_step)
{
    uint32_t steps = 0;
    for (uint32_t last = 0; last < graph->operators; last++) {
        enter_step[last] = leave_step[last] = steps++;
        for (uint32_t o = last; o != GRAPH_NONE && graph->op[o].end == last + 1;
             o = graph_owner(graph, o))
            if (graph->op[o].first_region != GRAPH_NONE)
                leave_step[o] = steps++;
    }
    assert(steps >= graph->operators);
    return steps;
}

uint32_t graph_list_left(const struct graph *graph, uint32_t *op)
{
    uint32_t count = 0;
    for (uint32_t last = 0; last < graph->operators; last++)
        for (uint32_t o = last; o != GRAPH_NONE && graph->op[o].end == last + 1;
             o = graph_owner(graph, o))
            if (graph->op[o].first_region != GRAPH_NONE)
                op[count++] = o;
    assert(count <= graph->operators);
    return count;
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
