#include "planning/liveness/value_places.h"

#include <assert.h>

enum status value_places_create(struct value_places *places, const struct graph *graph,
                                const bool *has_place, struct scratch *scratch, struct error *error)
{
    *places = (struct value_places){.graph = graph, .has_place = has_place};
    TRY(scratch_take_all(scratch, graph->tensors, error, &places->stamp, &places->found));
    return scratch_take(scratch, &places->pending, graph->tensors, sizeof *places->pending, error);
}

bool value_places_in_branches(const struct value_places *places, uint32_t tensor)
{
    return graph_is_branch_result(places->graph, tensor) &&
           !places->graph->tensor[tensor].external &&
           !(places->has_place && places->has_place[tensor]);
}

/* Notes the tensor in whose place the value is: a carried result of a loop is in the place of the
   argument. */
static void note(struct value_places *places, uint32_t tensor, uint32_t *pending)
{
    const struct graph *graph = places->graph;
    uint32_t producer = graph->tensor[tensor].producer;
    if (producer != GRAPH_NONE && !graph->tensor[tensor].external) {
        const struct graph_carried *carried = graph_find_carried_result(graph, producer, tensor);
        tensor = carried ? carried->argument : tensor;
    }
    if (places->stamp[tensor] == places->searches)
        return;
    places->stamp[tensor] = places->searches;
    assert(*pending < graph->tensors);
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
        uint32_t at = places->pending[--pending], o = graph->tensor[at].producer;
        if (graph->tensor[at].external) {
            places->outside = true;
        } else if (!value_places_in_branches(places, at)) {
            assert(places->count < graph->tensors);
            places->found[places->count++] = at;
        } else {
            uint32_t output = graph_position(graph, graph->op[o].outputs, at);
            assert(output < graph->op[o].outputs.count);
            for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
                note(places, graph_yield(graph, r, output), &pending);
        }
    }
}

bool value_places_written(struct value_places *places, const struct graph_move *move,
                          const uint32_t *root)
{
    uint32_t target = move->target;
    assert(target < places->graph->tensors);
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
