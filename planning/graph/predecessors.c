#include "planning/graph/predecessors.h"

#include <assert.h>

#include "core/memory.h"

/* Goes through the graph twice: to count what each operator comes after, and to list it. */
struct collector {
    const struct graph *graph;
    struct groups *found;
    bool lists;
};

/* A region has a higher number than all regions around it, so of two different ones that with the
   higher number can be left. */
struct siblings predecessors_lift(const struct graph *graph, uint32_t a, uint32_t b)
{
    assert(a < graph->operators && b < graph->operators);
    while (graph->op[a].region != graph->op[b].region)
        if (graph->op[a].region > graph->op[b].region)
            a = graph_owner(graph, a);
        else
            b = graph_owner(graph, b);
    assert(graph->op[a].region == graph->op[b].region);
    return (struct siblings){a, b};
}

static void add_edge(struct collector *collector, uint32_t earlier, uint32_t op)
{
    struct siblings siblings = predecessors_lift(collector->graph, earlier, op);
    if (siblings.a == siblings.b)
        return;
    assert(siblings.a < siblings.b);
    if (collector->lists)
        groups_add(collector->found, siblings.b, siblings.a);
    else
        groups_count(collector->found, siblings.b);
}

static void add_read(struct collector *collector, uint32_t tensor, uint32_t reader)
{
    uint32_t producer = collector->graph->tensor[tensor].producer;
    assert(tensor < collector->graph->tensors);
    if (producer != GRAPH_NONE)
        add_edge(collector, producer, reader);
}

static void add_reads(struct collector *collector, struct span tensors, uint32_t reader)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        add_read(collector, collector->graph->list[tensors.first + i], reader);
}

/* last: [streams] room for the last operator of each stream; NULL where streams do not count. */
static void add_all(struct collector *collector, uint32_t *last)
{
    const struct graph *graph = collector->graph;
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        add_reads(collector, op->inputs, o);
        add_reads(collector, op->ignored, o);
        for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++) {
            add_read(collector, graph->carried[c].init, o);
            add_read(collector, graph->carried[c].yield, o);
        }
        for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
            add_reads(collector, graph->region[r].yields, o);
        for (uint32_t i = 0; i < op->after.count; i++)
            add_edge(collector, graph->list[op->after.first + i], o);
    }
    for (uint32_t s = 0; last && s < graph->streams.count; s++)
        last[s] = GRAPH_NONE;
    for (uint32_t o = 0; last && o < graph->operators; o++) {
        uint32_t *before = &last[graph->op[o].stream];
        assert(*before == GRAPH_NONE || *before < o);
        if (*before != GRAPH_NONE)
            add_edge(collector, *before, o);
        *before = o;
    }
}

enum status predecessors_create(const struct graph *graph, bool streams,
                                struct groups *predecessors, struct error *error)
{
    SCOPED(memory_release) uint32_t *last = NULL;
    SCOPED(groups_free) struct groups found = {0};
    struct collector collector = {.graph = graph, .found = &found};
    *predecessors = found;
    TRY(groups_begin(&found, graph->operators, error));
    if (streams)
        TRY(memory_create(&last, graph->streams.count, sizeof *last, error));
    add_all(&collector, last);
    TRY(groups_end_counting(&found, error));
    collector.lists = true;
    add_all(&collector, last);
    *predecessors = found;
    found = (struct groups){0};
    return STATUS_OK;
}
