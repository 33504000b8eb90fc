#include "planning/liveness/result_places.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"

struct finder {
    const struct graph *graph;
    const struct placement *placement;
    struct place_choice choice;
    struct result_places *places;
    uint32_t *placed; /* [tensors] in which its value is: itself, or for a loop's carried result the
                         argument */
    uint32_t *yields; /* [tensors] how often the region at hand yields it */
    uint32_t *last;   /* [tensors] of a place's owner: the last tensor in the list of that place */
};

static void start_alone(struct finder *finder)
{
    const struct graph *graph = finder->graph;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        finder->places->place[t] = finder->placed[t] = finder->last[t] = t;
        finder->places->next[t] = GRAPH_NONE;
    }
    for (uint32_t c = 0; c < graph->carried_count; c++)
        finder->placed[graph->carried[c].result] = graph->carried[c].argument;
}

static bool is_defined_in(const struct graph *graph, uint32_t tensor, uint32_t region)
{
    uint32_t producer = graph->tensor[tensor].producer;
    return producer != GRAPH_NONE && graph->op[producer].region == region;
}

static bool is_result(const struct graph *graph, uint32_t tensor)
{
    uint32_t producer = graph->tensor[tensor].producer;
    return producer != GRAPH_NONE && graph->op[producer].first_region != GRAPH_NONE &&
           !graph->op[producer].loop;
}

static bool stays(const struct finder *finder, uint32_t tensor, enum result_stay how)
{
    return finder->choice.stays && finder->choice.stays[tensor] & how;
}

static bool may_share(const struct finder *finder, uint32_t region, uint32_t yield, uint32_t result)
{
    const struct graph_tensor *tensor = finder->graph->tensor;
    assert(finder->yields[yield] > 0);
    return is_defined_in(finder->graph, yield, region) && finder->yields[yield] == 1 &&
           !tensor[yield].external && finder->places->has_place[result] &&
           (!is_result(finder->graph, yield) || finder->places->has_place[yield]) &&
           finder->placement->overwrites[finder->placed[yield]] == GRAPH_NONE &&
           (!stays(finder, finder->placed[yield], RESULT_STAYS_FIRST) ||
            stays(finder, result, RESULT_STAYS));
}

static void find_placed_results(struct finder *finder)
{
    const struct graph *graph = finder->graph;
    const bool *unplaced = finder->choice.unplaced;
    for (uint32_t t = 0; t < graph->tensors; t++)
        finder->places->has_place[t] =
            is_result(graph, t) && !graph->tensor[t].external && !(unplaced && unplaced[t]);
}

static void move_in(struct finder *finder, uint32_t tensor, uint32_t owner)
{
    struct result_places *places = finder->places;
    uint32_t placed = finder->placed[tensor];
    assert(places->place[tensor] == tensor && places->place[placed] == placed && tensor != owner);
    places->place[tensor] = places->place[placed] = owner;
    assert(places->place[owner] == owner && places->next[finder->last[owner]] == GRAPH_NONE);
    places->next[finder->last[owner]] = placed;
    finder->last[owner] = placed;
}

static void count_yields(struct finder *finder, struct span yields)
{
    for (uint32_t i = 0; i < yields.count; i++)
        finder->yields[finder->graph->list[yields.first + i]]++;
}

static void forget_yields(struct finder *finder, struct span yields)
{
    for (uint32_t i = 0; i < yields.count; i++)
        finder->yields[finder->graph->list[yields.first + i]] = 0;
}

static void settle_region(struct finder *finder, uint32_t region)
{
    const struct graph *graph = finder->graph;
    struct span yields = graph->region[region].yields;
    struct span results = graph->op[graph->region[region].owner].outputs;
    assert(yields.count == results.count);
    count_yields(finder, yields);
    for (uint32_t i = 0; i < yields.count; i++) {
        uint32_t yield = graph->list[yields.first + i], result = graph->list[results.first + i];
        if (may_share(finder, region, yield, result))
            move_in(finder, yield, finder->places->place[result]);
    }
    forget_yields(finder, yields);
}

/* Moves all that is in the place of `tensor` into the place of `source`, unless the owner of one of
   the two places is itself written in the place of another tensor. */
static void stay_on(struct finder *finder, uint32_t tensor, uint32_t source)
{
    struct result_places *places = finder->places;
    const uint32_t *overwrites = finder->placement->overwrites;
    uint32_t owner = places->place[finder->placed[source]], moved = places->place[tensor];
    if (owner == moved || overwrites[owner] != GRAPH_NONE || overwrites[moved] != GRAPH_NONE)
        return;
    places->next[finder->last[owner]] = moved;
    finder->last[owner] = finder->last[moved];
    for (uint32_t t = moved; t != GRAPH_NONE; t = places->next[t])
        places->place[t] = owner;
}

/* Lets `tensor` stay on `source`. If that is a result without a place of its own, its value is
   where the taken branch left it, so the tensor stays on what each of the branches yields. */
static void stay_on_all(struct finder *finder, uint32_t tensor, uint32_t source)
{
    const struct graph *graph = finder->graph;
    uint32_t o = graph->tensor[source].producer, output = 0;
    if (!is_result(graph, source) || finder->places->has_place[source]) {
        stay_on(finder, tensor, source);
        return;
    }
    while (graph->list[graph->op[o].outputs.first + output] != source)
        output++;
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
        stay_on_all(finder, tensor, graph->list[graph->region[r].yields.first + output]);
}

static void stay_on_sources(struct finder *finder, uint32_t o)
{
    const struct graph *graph = finder->graph;
    const struct graph_operator *owner = &graph->op[o];
    for (uint32_t c = 0; c < owner->carried.count; c++) {
        const struct graph_carried *carried = &graph->carried[owner->carried.first + c];
        if (stays(finder, carried->argument, RESULT_STAYS_FIRST))
            stay_on_all(finder, carried->argument, carried->init);
        if (stays(finder, carried->argument, RESULT_STAYS_LATER))
            stay_on_all(finder, carried->argument, carried->yield);
    }
    for (uint32_t i = 0; i < owner->outputs.count && !owner->loop; i++) {
        uint32_t result = graph->list[owner->outputs.first + i];
        for (uint32_t r = owner->first_region;
             stays(finder, result, RESULT_STAYS) && r != GRAPH_NONE; r = graph->region[r].next)
            stay_on_all(finder, result, graph->list[graph->region[r].yields.first + i]);
    }
}

/* Regions are numbered after the one that holds their owner, so that a result gets its place before
   what is yielded for it. */
static void settle_all(struct finder *finder)
{
    for (uint32_t r = 1; r < finder->graph->regions; r++)
        if (!finder->graph->op[finder->graph->region[r].owner].loop && !finder->choice.apart)
            settle_region(finder, r);
    for (uint32_t o = 0; o < finder->graph->operators && finder->choice.stays; o++)
        if (finder->graph->op[o].first_region != GRAPH_NONE)
            stay_on_sources(finder, o);
}

enum status result_places_create(const struct graph *graph, const struct placement *placement,
                                 const struct place_choice *choice, struct result_places **created,
                                 struct error *error)
{
    struct finder finder = {.graph = graph, .placement = placement};
    if (choice)
        finder.choice = *choice;
    struct result_places *places;
    enum status status;
    TRY(memory_create(&places, 1, sizeof *places, error));
    finder.places = places;
    uint32_t **per_tensor[] = {&places->place, &places->next, &finder.placed, &finder.yields,
                               &finder.last};
    for (int i = 0; i < 5; i++)
        TRY_OR_DONE(status, memory_create(per_tensor[i], graph->tensors, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&places->has_place, graph->tensors, sizeof(bool), error));
    TRY_OR_DONE(status, value_bytes_create(graph, &places->bytes, error));
    find_placed_results(&finder);
    start_alone(&finder);
    settle_all(&finder);
    *created = places;
done:
    memory_free(finder.placed);
    memory_free(finder.yields);
    memory_free(finder.last);
    if (status)
        result_places_free(places);
    return status;
}

void result_places_free(struct result_places *places)
{
    if (!places)
        return;
    memory_free(places->place);
    memory_free(places->next);
    memory_free(places->bytes);
    memory_free(places->has_place);
    memory_free(places);
}
