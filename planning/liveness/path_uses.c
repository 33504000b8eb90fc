#include <assert.h>

#include "core/memory.h"
#include "planning/liveness/path_builder.h"
#include "planning/liveness/path_liveness.h"

/* Goes through the program twice: to count the uses of each tensor, and to list them. */
struct collector {
    const struct graph *graph;
    const struct liveness *liveness;
    struct path_uses *uses;
    uint32_t *place; /* [tensors] where the next use is listed; NULL while counting */
};

static void add_use(struct collector *collector, uint32_t tensor, uint32_t region, uint32_t upper)
{
    assert(tensor < collector->graph->tensors && upper <= collector->liveness->steps);
    if (collector->place)
        collector->uses->use[collector->place[tensor]++] = (struct path_use){region, upper};
    else
        collector->uses->first[tensor + 1]++;
}

static void add_all(struct collector *collector, struct span tensors, uint32_t region,
                    uint32_t upper)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        add_use(collector, collector->graph->list[tensors.first + i], region, upper);
}

static void walk_region(struct collector *collector, uint32_t region);

static void walk_operator(struct collector *collector, uint32_t o)
{
    const struct graph *graph = collector->graph;
    const struct graph_operator *op = &graph->op[o];
    const struct graph_carried *carried = graph->carried + op->carried.first;
    uint32_t enter = collector->liveness->enter_step[o], leave = collector->liveness->leave_step[o];
    for (uint32_t c = 0; c < op->carried.count; c++)
        add_use(collector, carried[c].init, op->region, enter);
    add_all(collector, op->inputs, op->region, enter + 1);
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        walk_region(collector, r);
    for (uint32_t c = 0; c < op->carried.count; c++)
        add_use(collector, carried[c].yield, op->last_region, leave);
    for (uint32_t r = op->first_region; r != GRAPH_NONE && op->loop; r = graph->region[r].next)
        add_all(collector, graph->region[r].yields, r, leave + 1);
}

static void walk_region(struct collector *collector, uint32_t region)
{
    const struct graph *graph = collector->graph;
    const struct graph_region *walked = &graph->region[region];
    for (uint32_t o = walked->begin; o < walked->end; o = graph->op[o].end)
        walk_operator(collector, o);
    if (walked->owner == GRAPH_NONE || !graph->op[walked->owner].loop)
        add_all(collector, walked->yields, region, collector->liveness->region_end[region]);
}

enum status path_uses_create(struct path_uses *uses, const struct graph *graph,
                             const struct liveness *liveness, struct error *error)
{
    struct collector collector = {graph, liveness, uses, NULL};
    uint32_t *place = NULL;
    enum status status;
    *uses = (struct path_uses){0};
    TRY_OR_DONE(status, memory_create(&uses->first, (size_t)graph->tensors + 1, sizeof *uses->first,
                                      error));
    TRY_OR_DONE(status, memory_create(&place, graph->tensors, sizeof *place, error));
    walk_region(&collector, 0);
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uses->first[t + 1] += uses->first[t];
        place[t] = uses->first[t];
    }
    TRY_OR_DONE(status,
                memory_create(&uses->use, uses->first[graph->tensors], sizeof *uses->use, error));
    collector.place = place;
    walk_region(&collector, 0);
    assert(graph->tensors == 0 || place[graph->tensors - 1] == uses->first[graph->tensors]);
done:
    memory_free(place);
    return status;
}

void path_uses_free(struct path_uses *uses)
{
    memory_free(uses->first);
    memory_free(uses->use);
    *uses = (struct path_uses){0};
}
