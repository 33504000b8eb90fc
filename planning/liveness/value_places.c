#include "planning/liveness/value_places.h"

#include "core/memory.h"

enum status value_places_create(struct value_places *places, const struct graph *graph,
                                const bool *has_place, struct error *error)
{
    *places = (struct value_places){.graph = graph, .has_place = has_place};
    TRY(memory_create(&places->stamp, graph->tensors, sizeof *places->stamp, error));
    TRY(memory_create(&places->found, graph->tensors, sizeof *places->found, error));
    return memory_create(&places->pending, graph->tensors, sizeof *places->pending, error);
}

void value_places_clear(struct value_places *places)
{
    memory_free(places->stamp);
    memory_free(places->found);
    memory_free(places->pending);
    *places = (struct value_places){0};
}

bool value_places_in_branches(const struct value_places *places, uint32_t tensor)
{
    const struct graph *graph = places->graph;
    uint32_t producer = graph->tensor[tensor].producer;
    return producer != GRAPH_NONE && graph->op[producer].first_region != GRAPH_NONE &&
           !graph->op[producer].loop && !graph->tensor[tensor].external &&
           !(places->has_place && places->has_place[tensor]);
}

/* The tensor in whose place the value is: that of a loop's carried result is in the argument's. */
static uint32_t find_placed(const struct graph *graph, uint32_t tensor)
{
    uint32_t producer = graph->tensor[tensor].producer;
    if (producer == GRAPH_NONE || !graph->op[producer].loop || graph->tensor[tensor].external)
        return tensor;
    struct span carried = graph->op[producer].carried;
    for (uint32_t c = 0; c < carried.count; c++)
        if (graph->carried[carried.first + c].result == tensor)
            return graph->carried[carried.first + c].argument;
    return tensor;
}

static void note(struct value_places *places, uint32_t tensor, uint32_t *pending)
{
    tensor = find_placed(places->graph, tensor);
    if (places->stamp[tensor] == places->searches)
        return;
    places->stamp[tensor] = places->searches;
    places->pending[(*pending)++] = tensor;
}

void value_places_find(struct value_places *places, uint32_t tensor)
{
    const struct graph *graph = places->graph;
    uint32_t pending = 0;
    places->searches++;
    places->count = 0;
    places->outside = false;
    note(places, tensor, &pending);
    while (pending) {
        uint32_t at = places->pending[--pending], output = 0, o = graph->tensor[at].producer;
        if (graph->tensor[at].external)
            places->outside = true;
        else if (!value_places_in_branches(places, at))
            places->found[places->count++] = at;
        if (!value_places_in_branches(places, at))
            continue;
        while (graph->list[graph->op[o].outputs.first + output] != at)
            output++;
        for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
            note(places, graph->list[graph->region[r].yields.first + output], &pending);
    }
}

bool value_places_written(struct value_places *places, const struct graph_move *move,
                          const uint32_t *root)
{
    uint32_t target = move->target;
    if (places->graph->tensor[target].external || value_places_in_branches(places, target))
        return false;
    if (move->source == GRAPH_NONE)
        return true;
    value_places_find(places, move->source);
    bool elsewhere = places->outside;
    for (uint32_t i = 0; i < places->count; i++)
        elsewhere = elsewhere || !root || root[places->found[i]] != root[target];
    return elsewhere;
}
