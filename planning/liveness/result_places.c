#include "planning/liveness/result_places.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"

struct finder {
    const struct graph *graph;
    const struct placement *placement;
    struct result_places *places;
    uint32_t *placed; /* [tensors] what needs room for it: itself, or the carried argument of a
                         loop's result */
    uint32_t *yields; /* [tensors] times that the region at hand yields it */
    uint32_t *last;   /* [tensors] that own a place: the last of its list */
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

static bool may_share(const struct finder *finder, uint32_t region, uint32_t yield, uint32_t result)
{
    const struct graph_tensor *tensor = finder->graph->tensor;
    assert(finder->yields[yield] > 0);
    return is_defined_in(finder->graph, yield, region) && finder->yields[yield] == 1 &&
           !tensor[yield].external && !tensor[result].external &&
           finder->placement->overwrites[finder->placed[yield]] == GRAPH_NONE;
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

/* A region is numbered after the one that holds its owner, so a result has its place before what is
   yielded for it. */
static void settle_all(struct finder *finder)
{
    for (uint32_t r = 1; r < finder->graph->regions; r++)
        if (!finder->graph->op[finder->graph->region[r].owner].loop)
            settle_region(finder, r);
}

enum status result_places_create(const struct graph *graph, const struct placement *placement,
                                 struct result_places **created, struct error *error)
{
    struct finder finder = {.graph = graph, .placement = placement};
    struct result_places *places;
    enum status status;
    TRY(memory_create(&places, 1, sizeof *places, error));
    finder.places = places;
    uint32_t **per_tensor[] = {&places->place, &places->next, &finder.placed, &finder.yields,
                               &finder.last};
    for (int i = 0; i < 5; i++)
        TRY_OR_DONE(status, memory_create(per_tensor[i], graph->tensors, sizeof(uint32_t), error));
    TRY_OR_DONE(status, place_bytes_create(graph, &places->bytes, error));
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

static bool leaves_copies(const struct graph *graph, const struct result_places *places,
                          uint32_t region)
{
    struct span yields = graph->region[region].yields;
    struct span results = graph->op[graph->region[region].owner].outputs;
    assert(yields.count == results.count);
    for (uint32_t i = 0; i < yields.count; i++) {
        uint32_t yield = graph->list[yields.first + i];
        if (!graph->tensor[graph->list[results.first + i]].external &&
            (places->place[yield] == yield || !is_defined_in(graph, yield, region)))
            return true;
    }
    return false;
}

bool result_places_leave_copies(const struct graph *graph, const struct result_places *places)
{
    for (uint32_t r = 1; r < graph->regions; r++)
        if (!graph->op[graph->region[r].owner].loop && leaves_copies(graph, places, r))
            return true;
    return false;
}

void result_places_free(struct result_places *places)
{
    if (!places)
        return;
    memory_free(places->place);
    memory_free(places->next);
    memory_free(places->bytes);
    memory_free(places);
}
