#include "planning/liveness/result_places.h"

#include "core/memory.h"

struct finder {
    const struct graph *graph;
    const struct placement *placement;
    struct homes *homes;
    uint32_t *place;  /* [tensors] itself, but the carried argument of a loop's result */
    uint32_t *yields; /* [tensors] times that the region at hand yields it */
    uint32_t *last;   /* [tensors] of a home: the last of its list */
};

static void start_alone(struct finder *finder)
{
    const struct graph *graph = finder->graph;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        finder->homes->home[t] = finder->place[t] = finder->last[t] = t;
        finder->homes->next[t] = GRAPH_NONE;
    }
    for (uint32_t c = 0; c < graph->carried_count; c++)
        finder->place[graph->carried[c].result] = graph->carried[c].argument;
}

static bool is_defined_in(const struct graph *graph, uint32_t tensor, uint32_t region)
{
    uint32_t producer = graph->tensor[tensor].producer;
    return producer != GRAPH_NONE && graph->op[producer].region == region;
}

static bool may_share(const struct finder *finder, uint32_t region, uint32_t yield, uint32_t result)
{
    const struct graph_tensor *tensor = finder->graph->tensor;
    return is_defined_in(finder->graph, yield, region) && finder->yields[yield] == 1 &&
           !tensor[yield].external && !tensor[result].external &&
           finder->placement->overwrites[finder->place[yield]] == GRAPH_NONE;
}

static void move_in(struct finder *finder, uint32_t tensor, uint32_t home)
{
    struct homes *homes = finder->homes;
    uint32_t place = finder->place[tensor];
    homes->home[tensor] = homes->home[place] = home;
    homes->next[finder->last[home]] = place;
    finder->last[home] = place;
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
    count_yields(finder, yields);
    for (uint32_t i = 0; i < yields.count; i++) {
        uint32_t yield = graph->list[yields.first + i], result = graph->list[results.first + i];
        if (may_share(finder, region, yield, result))
            move_in(finder, yield, finder->homes->home[result]);
    }
    forget_yields(finder, yields);
}

/* A region is numbered after the one that holds its owner, so a result has its home before what is
   yielded for it. */
static void settle_all(struct finder *finder)
{
    for (uint32_t r = 1; r < finder->graph->regions; r++)
        if (!finder->graph->op[finder->graph->region[r].owner].loop)
            settle_region(finder, r);
}

enum status homes_create(const struct graph *graph, const struct placement *placement,
                         struct homes **created, struct error *error)
{
    struct finder finder = {.graph = graph, .placement = placement};
    struct homes *homes;
    enum status status;
    TRY(memory_create(&homes, 1, sizeof *homes, error));
    finder.homes = homes;
    uint32_t **per_tensor[] = {&homes->home, &homes->next, &finder.place, &finder.yields,
                               &finder.last};
    for (int i = 0; i < 5; i++)
        TRY_OR_DONE(status, memory_create(per_tensor[i], graph->tensors, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&homes->bytes, graph->tensors, sizeof(uint64_t), error));
    start_alone(&finder);
    settle_all(&finder);
    homes_find_bytes(graph, homes->bytes);
    *created = homes;
done:
    memory_free(finder.place);
    memory_free(finder.yields);
    memory_free(finder.last);
    if (status)
        homes_free(homes);
    return status;
}

static bool leaves_copies(const struct graph *graph, const struct homes *homes, uint32_t region)
{
    struct span yields = graph->region[region].yields;
    struct span results = graph->op[graph->region[region].owner].outputs;
    for (uint32_t i = 0; i < yields.count; i++) {
        uint32_t yield = graph->list[yields.first + i];
        if (!graph->tensor[graph->list[results.first + i]].external &&
            (homes->home[yield] == yield || !is_defined_in(graph, yield, region)))
            return true;
    }
    return false;
}

bool homes_leave_copies(const struct graph *graph, const struct homes *homes)
{
    for (uint32_t r = 1; r < graph->regions; r++)
        if (!graph->op[graph->region[r].owner].loop && leaves_copies(graph, homes, r))
            return true;
    return false;
}

void homes_free(struct homes *homes)
{
    if (!homes)
        return;
    memory_free(homes->home);
    memory_free(homes->next);
    memory_free(homes->bytes);
    memory_free(homes);
}

static void raise_results(const struct graph *graph, uint32_t region, uint64_t *bytes)
{
    struct span yields = graph->region[region].yields;
    struct span results = graph->op[graph->region[region].owner].outputs;
    for (uint32_t i = 0; i < yields.count; i++) {
        uint64_t yielded = bytes[graph->list[yields.first + i]];
        uint64_t *result = &bytes[graph->list[results.first + i]];
        *result = *result < yielded ? yielded : *result;
    }
}

/* Operators in the order in which they are left, so that what is yielded comes before the result.
 */
void homes_find_bytes(const struct graph *graph, uint64_t *bytes)
{
    for (uint32_t t = 0; t < graph->tensors; t++)
        bytes[t] = graph->tensor[t].bytes;
    for (uint32_t last = 0; last < graph->operators; last++)
        for (uint32_t o = last; o != GRAPH_NONE && graph->op[o].end == last + 1;
             o = graph->region[graph->op[o].region].owner)
            for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE && !graph->op[o].loop;
                 r = graph->region[r].next)
                raise_results(graph, r, bytes);
}
