#include "planning/plan/addresses.h"

#include <assert.h>

#include "core/scratch.h"

/* Stands for a tensor that depends on the path. */
#define VARIES (GRAPH_NONE - 1)

struct reader {
    const struct graph *graph;
    const struct placement *placement;
    uint32_t *read; /* [tensors] the tensor that is read under this name, or VARIES */
    bool varies;
};

/* What is read where one branch leaves a and another one leaves b. */
static uint32_t join_reads(const struct reader *reader, uint32_t a, uint32_t b)
{
    const struct placement *placement = reader->placement;
    if (a == b || a == VARIES || b == VARIES)
        return a == b ? a : VARIES;
    assert(a < placement->tensors && b < placement->tensors);
    bool placed = placement->offset[a] != PROBLEM_FREE && placement->offset[b] != PROBLEM_FREE;
    return placed && (placement_starts_on(placement, reader->graph, a, b) ||
                      placement_starts_on(placement, reader->graph, b, a))
               ? a
               : VARIES;
}

static void read_all(struct reader *reader, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        reader->varies |= reader->read[reader->graph->list[tensors.first + i]] == VARIES;
}

enum status addresses_are_static(const struct graph *graph, const struct placement *placement,
                                 bool *are_static, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct reader reader = {.graph = graph, .placement = placement};
    uint32_t *left;
    assert(placement->tensors == graph->tensors && placement->operators == graph->operators);
    TRY(scratch_take(&scratch, &reader.read, graph->tensors, sizeof *reader.read, error));
    TRY(scratch_take(&scratch, &left, graph->operators, sizeof *left, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        reader.read[t] = t;

    /* All operators with regions are left in the order in which they end, so that it is known of an
       operator's results what is read under their names before anything after it reads them. */
    uint32_t count = graph_list_left(graph, left);
    for (uint32_t i = 0; i < count; i++) {
        const struct graph_operator *op = &graph->op[left[i]];
        struct span carried = op->carried;
        for (uint32_t at = 0; at < op->outputs.count && !op->loop; at++) {
            uint32_t result = graph->list[op->outputs.first + at], r = op->first_region;
            if (graph->tensor[result].external || placement->offset[result] != PROBLEM_FREE)
                continue;
            uint32_t read = reader.read[graph_yield(graph, r, at)];
            assert(r != GRAPH_NONE);
            while ((r = graph->region[r].next) != GRAPH_NONE)
                read = join_reads(&reader, read, reader.read[graph_yield(graph, r, at)]);
            reader.read[result] = read;
        }
        for (uint32_t c = carried.first; c < carried.first + carried.count; c++)
            if (!graph->tensor[graph->carried[c].result].external)
                reader.read[graph->carried[c].result] = graph->carried[c].argument;
    }

    /* Then everything that is read; what a branch yields is not, as it is only handed on. */
    for (uint32_t o = 0; o < graph->operators; o++)
        read_all(&reader, graph->op[o].inputs);
    for (uint32_t c = 0; c < graph->carried_count; c++) {
        reader.varies |= reader.read[graph->carried[c].init] == VARIES;
        reader.varies |= reader.read[graph->carried[c].yield] == VARIES;
    }
    for (uint32_t r = 0; r < graph->regions; r++) {
        uint32_t owner = graph->region[r].owner;
        if (owner == GRAPH_NONE || graph->op[owner].loop)
            read_all(&reader, graph->region[r].yields);
    }
    *are_static = !reader.varies;
    return STATUS_OK;
}
