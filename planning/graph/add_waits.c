#include "planning/graph/add_waits.h"

#include <stdlib.h>

#include "core/heap.h"
#include "core/memory.h"
#include "planning/graph/predecessors.h"

/* Which operators come after which, always two that one region holds directly. */
struct sequence {
    uint32_t *missing; /* [operators] how many of those it comes after are not listed yet */
    size_t *first;     /* [operators + 2] into later */
    uint32_t *later;   /* operators that come after each */
};

static int compare_waits(const void *left, const void *right)
{
    const struct graph_wait *a = left, *b = right;
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    return a->earlier < b->earlier ? -1 : a->earlier > b->earlier;
}

static enum status refuse_circle(struct graph_copier *copier, uint32_t region)
{
    const struct sequence *sequence = copier->context;
    const struct graph *graph = copier->graph;
    uint32_t o = graph->region[region].begin;
    while (!sequence->missing[o])
        o = graph->op[o].end;
    return error_set(copier->error, STATUS_BAD_INPUT,
                     "'%s' and others wait for each other in a circle, expected an order",
                     graph_label(graph, graph->op[o].name));
}

static enum status push_ready(struct graph_copier *copier, struct heap *ready, uint32_t op)
{
    return heap_push(ready, op, op, copier->error);
}

static enum status list_later(struct graph_copier *copier, struct heap *ready, uint32_t op)
{
    const struct sequence *sequence = copier->context;
    for (size_t e = sequence->first[op]; e < sequence->first[op + 1]; e++)
        if (--sequence->missing[sequence->later[e]] == 0)
            TRY(push_ready(copier, ready, sequence->later[e]));
    return STATUS_OK;
}

/* Copies the operators of a region: always the first of the stored list that comes after nothing
   that is not copied yet. Regions inside have a heap of their own, since they are copied in
   between. */
static enum status copy_ready(struct graph_copier *copier, uint32_t region, struct heap *ready)
{
    const struct graph *graph = copier->graph;
    const struct sequence *sequence = copier->context;
    uint32_t held = 0;
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end;
         o = graph->op[o].end, held++)
        if (!sequence->missing[o])
            TRY(push_ready(copier, ready, o));
    for (; ready->count; held--) {
        uint32_t o = heap_pop(ready).value;
        TRY(graph_copy_operator(copier, o));
        TRY(list_later(copier, ready, o));
    }
    return held ? refuse_circle(copier, region) : STATUS_OK;
}

static enum status copy_region(struct graph_copier *copier, uint32_t region)
{
    struct heap ready = {0};
    enum status status = copy_ready(copier, region, &ready);
    heap_free(&ready);
    return status;
}

/* Called for each pair of operators of which edge.op comes after edge.earlier. */
typedef void visit_edge(struct sequence *sequence, struct graph_wait edge);

static void count_edge(struct sequence *sequence, struct graph_wait edge)
{
    sequence->missing[edge.op]++;
    sequence->first[edge.earlier + 2]++;
}

static void list_edge(struct sequence *sequence, struct graph_wait edge)
{
    sequence->later[sequence->first[edge.earlier + 1]++] = edge.op;
}

static void visit_edges(const struct graph_copier *copier, const struct predecessors *predecessors,
                        struct sequence *sequence, visit_edge *visit)
{
    for (uint32_t o = 0; o < copier->graph->operators; o++)
        for (size_t e = predecessors->first[o]; e < predecessors->first[o + 1]; e++)
            visit(sequence, (struct graph_wait){o, predecessors->op[e]});
    for (size_t w = 0; w < copier->waits; w++)
        visit(sequence, copier->wait[w]);
}

static enum status list_edges(const struct graph_copier *copier,
                              const struct predecessors *predecessors, struct sequence *sequence)
{
    uint32_t operators = copier->graph->operators;
    size_t edges = predecessors->first[operators] + copier->waits;
    TRY(memory_create(&sequence->missing, operators, sizeof(uint32_t), copier->error));
    TRY(memory_create(&sequence->first, (size_t)operators + 2, sizeof(size_t), copier->error));
    TRY(memory_create(&sequence->later, edges, sizeof(uint32_t), copier->error));
    visit_edges(copier, predecessors, sequence, count_edge);
    for (uint32_t o = 0; o < operators; o++)
        sequence->first[o + 2] += sequence->first[o + 1];
    visit_edges(copier, predecessors, sequence, list_edge);
    return STATUS_OK;
}

enum status graph_add_waits(const struct graph *graph, struct graph_wait *wait, size_t waits,
                            struct graph **waiting, struct error *error)
{
    struct sequence sequence = {0};
    struct predecessors predecessors = {0};
    struct graph_copier copier = {.graph = graph,
                                  .copy_operators = copy_region,
                                  .wait = wait,
                                  .waits = waits,
                                  .context = &sequence,
                                  .error = error};
    enum status status;
    if (waits)
        qsort(wait, waits, sizeof *wait, compare_waits);
    TRY_OR_DONE(status, predecessors_create(graph, true, &predecessors, error));
    TRY_OR_DONE(status, list_edges(&copier, &predecessors, &sequence));
    status = graph_copy(&copier, waiting);
done:
    predecessors_free(&predecessors);
    memory_free(sequence.missing);
    memory_free(sequence.first);
    memory_free(sequence.later);
    return status;
}
