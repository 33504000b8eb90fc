#include "planning/graph/predecessors.h"

#include <assert.h>

#include "core/memory.h"

struct edge {
    uint32_t op, earlier;
};

struct collector {
    const struct graph *graph;
    struct edge *edge;
    size_t edges, capacity;
    struct error *error;
};

/* A region has a higher number than all regions around it, so of two different ones that with the
   higher number can be left. */
struct siblings predecessors_lift(const struct graph *graph, uint32_t a, uint32_t b)
{
    while (graph->op[a].region != graph->op[b].region)
        if (graph->op[a].region > graph->op[b].region)
            a = graph->region[graph->op[a].region].owner;
        else
            b = graph->region[graph->op[b].region].owner;
    return (struct siblings){a, b};
}

static enum status add_edge(struct collector *collector, uint32_t earlier, uint32_t op)
{
    struct siblings siblings = predecessors_lift(collector->graph, earlier, op);
    if (siblings.a == siblings.b)
        return STATUS_OK;
    assert(siblings.a < siblings.b);
    TRY(memory_reserve(&collector->edge, &collector->capacity, collector->edges + 1,
                       sizeof *collector->edge, collector->error));
    collector->edge[collector->edges++] = (struct edge){siblings.b, siblings.a};
    return STATUS_OK;
}

static enum status add_read(struct collector *collector, uint32_t tensor, uint32_t reader)
{
    uint32_t producer = collector->graph->tensor[tensor].producer;
    return producer == GRAPH_NONE ? STATUS_OK : add_edge(collector, producer, reader);
}

static enum status add_reads(struct collector *collector, struct span tensors, uint32_t reader)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        TRY(add_read(collector, collector->graph->list[tensors.first + i], reader));
    return STATUS_OK;
}

static enum status add_operator(struct collector *collector, uint32_t o)
{
    const struct graph *graph = collector->graph;
    const struct graph_operator *op = &graph->op[o];
    TRY(add_reads(collector, op->inputs, o));
    TRY(add_reads(collector, op->ignored, o));
    for (uint32_t i = 0; i < op->carried.count; i++) {
        TRY(add_read(collector, graph->carried[op->carried.first + i].init, o));
        TRY(add_read(collector, graph->carried[op->carried.first + i].yield, o));
    }
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        TRY(add_reads(collector, graph->region[r].yields, o));
    for (uint32_t i = 0; i < op->after.count; i++)
        TRY(add_edge(collector, graph->list[op->after.first + i], o));
    return STATUS_OK;
}

static enum status add_streams(struct collector *collector)
{
    const struct graph *graph = collector->graph;
    uint32_t *last;
    enum status status = STATUS_OK;
    TRY(memory_create(&last, graph->streams.count, sizeof *last, collector->error));
    for (uint32_t s = 0; s < graph->streams.count; s++)
        last[s] = GRAPH_NONE;
    for (uint32_t o = 0; o < graph->operators && !status; o++) {
        uint32_t *before = &last[graph->op[o].stream];
        if (*before != GRAPH_NONE)
            status = add_edge(collector, *before, o);
        *before = o;
    }
    memory_free(last);
    return status;
}

/* Sorts the edges by operator, by counting. */
static enum status list_edges(const struct collector *collector, struct predecessors *predecessors)
{
    uint32_t operators = collector->graph->operators;
    TRY(memory_create(&predecessors->first, (size_t)operators + 2, sizeof *predecessors->first,
                      collector->error));
    TRY(memory_create(&predecessors->op, collector->edges, sizeof *predecessors->op,
                      collector->error));
    for (size_t e = 0; e < collector->edges; e++)
        predecessors->first[collector->edge[e].op + 2]++;
    for (uint32_t o = 0; o < operators; o++)
        predecessors->first[o + 2] += predecessors->first[o + 1];
    for (size_t e = 0; e < collector->edges; e++)
        predecessors->op[predecessors->first[collector->edge[e].op + 1]++] =
            collector->edge[e].earlier;
    return STATUS_OK;
}

enum status predecessors_create(const struct graph *graph, bool streams,
                                struct predecessors *predecessors, struct error *error)
{
    struct collector collector = {.graph = graph, .error = error};
    enum status status = STATUS_OK;
    *predecessors = (struct predecessors){0};
    for (uint32_t o = 0; o < graph->operators && !status; o++)
        status = add_operator(&collector, o);
    if (!status && streams)
        status = add_streams(&collector);
    if (!status)
        status = list_edges(&collector, predecessors);
    memory_free(collector.edge);
    if (status)
        predecessors_free(predecessors);
    return status;
}

void predecessors_free(struct predecessors *predecessors)
{
    memory_free(predecessors->first);
    memory_free(predecessors->op);
    *predecessors = (struct predecessors){0};
}
