#include "planning/graph/add_waits.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/heap.h"
#include "core/memory.h"
#include "planning/graph/predecessors.h"

/* Which operators come after which. Both operators of a pair are held directly by one region. */
struct sequence {
    uint32_t *missing;   /* [operators] how many of those it comes after are not listed yet */
    struct groups later; /* [operators] that come after each */
};

static void free_sequence(struct sequence *sequence)
{
    memory_free(sequence->missing);
    groups_free(&sequence->later);
}

COMPARE_MEMBERS(compare_waits, struct graph_wait, op, earlier)

/* Copies the operators of a region: always the first of the stored list that comes after nothing
   that is not copied yet. Regions inside have a heap of their own, since they are copied in
   between. */
static enum status copy_region(struct graph_copier *copier, uint32_t region)
{
    SCOPED(heap_free) struct heap ready = {0};
    const struct graph *graph = copier->graph;
    const struct sequence *sequence = copier->context;
    const struct groups *later = &sequence->later;
    assert(region < graph->regions && later->lists == graph->operators);
    uint32_t held = 0;
    for (uint32_t o = graph->region[region].begin; o < graph->region[region].end;
         o = graph->op[o].end, held++)
        if (!sequence->missing[o])
            TRY(heap_push(&ready, o, o, copier->error));
    for (; ready.count; held--) {
        uint32_t o = heap_pop(&ready).value;
        assert(held > 0 && graph->op[o].region == region);
        TRY(graph_copy_operator(copier, o));
        for (uint64_t i = later->first[o]; i < later->first[o + 1]; i++) {
            assert(sequence->missing[later->item[i]] > 0);
            if (--sequence->missing[later->item[i]] == 0)
                TRY(heap_push(&ready, later->item[i], later->item[i], copier->error));
        }
    }
    if (!held)
        return STATUS_OK;
    uint32_t o = graph->region[region].begin;
    while (!sequence->missing[o])
        o = graph->op[o].end;
    return error_set(copier->error, STATUS_BAD_INPUT,
                     "'%s' and others wait for each other in a circle, expected an order",
                     graph_label(graph, graph->op[o].name));
}

/* Called twice for each operator that comes after an earlier one: to count, and to list it. */
static void visit_edge(struct sequence *sequence, uint32_t op, uint32_t earlier, bool lists)
{
    assert(op < sequence->later.lists && earlier < sequence->later.lists);
    if (lists) {
        groups_add(&sequence->later, earlier, op);
    } else {
        sequence->missing[op]++;
        groups_count(&sequence->later, earlier);
    }
}

static void visit_edges(const struct graph_copier *copier, const struct groups *predecessors,
                        struct sequence *sequence, bool lists)
{
    for (uint32_t o = 0; o < copier->graph->operators; o++)
        for (uint64_t e = predecessors->first[o]; e < predecessors->first[o + 1]; e++)
            visit_edge(sequence, o, predecessors->item[e], lists);
    for (size_t w = 0; w < copier->waits; w++)
        visit_edge(sequence, copier->wait[w].op, copier->wait[w].earlier, lists);
}

enum status graph_add_waits(const struct graph *graph, struct graph_wait *wait, size_t waits,
                            struct graph **waiting, struct error *error)
{
    SCOPED(groups_free) struct groups predecessors = {0};
    SCOPED(free_sequence) struct sequence sequence = {0};
    struct graph_copier copier = {.graph = graph,
                                  .copy_operators = copy_region,
                                  .wait = wait,
                                  .waits = waits,
                                  .context = &sequence,
                                  .error = error};
    if (waits)
        qsort(wait, waits, sizeof *wait, compare_waits);
    TRY(predecessors_create(graph, true, &predecessors, error));
    TRY(memory_create(&sequence.missing, graph->operators, sizeof(uint32_t), error));
    TRY(groups_begin(&sequence.later, graph->operators, error));
    visit_edges(&copier, &predecessors, &sequence, false);
    TRY(groups_end_counting(&sequence.later, error));
    visit_edges(&copier, &predecessors, &sequence, true);
    assert(sequence.later.lists == graph->operators);
    return graph_copy(&copier, waiting);
}
