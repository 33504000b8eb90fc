#include "planning/plan/addresses.h"

#include <assert.h>

#include "core/memory.h"

/* Stands for the tensor that is read where that depends on the path. */
#define VARIES (GRAPH_NONE - 1)

struct reader {
    const struct graph *graph;
    const struct placement *placement;
    uint32_t *read; /* [tensors] the tensor that is read under this name, or VARIES */
    bool varies;
};

static bool is_in_arena(const struct reader *reader, uint32_t tensor)
{
    assert(tensor < reader->graph->tensors);
    return !reader->graph->tensor[tensor].external;
}

static bool has_place(const struct reader *reader, uint32_t tensor)
{
    return reader->placement->offset[tensor] != PROBLEM_FREE;
}

static bool is_same_place(const struct reader *reader, uint32_t a, uint32_t b)
{
    if (a == b)
        return true;
    if (!has_place(reader, a) || !has_place(reader, b))
        return false;
    return placement_starts_on(reader->placement, reader->graph, a, b) ||
           placement_starts_on(reader->placement, reader->graph, b, a);
}

static uint32_t join_reads(const struct reader *reader, uint32_t a, uint32_t b)
{
    if (a == VARIES || b == VARIES)
        return VARIES;
    return is_same_place(reader, a, b) ? a : VARIES;
}

static void leave_branches(struct reader *reader, uint32_t o)
{
    const struct graph *graph = reader->graph;
    struct span outputs = graph->op[o].outputs;
    assert(!graph->op[o].loop && graph->op[o].first_region != GRAPH_NONE);
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t result = graph->list[outputs.first + i];
        uint32_t r = graph->op[o].first_region;
        if (!is_in_arena(reader, result) || has_place(reader, result))
            continue;
        uint32_t read = reader->read[graph_yield(graph, r, i)];
        while ((r = graph->region[r].next) != GRAPH_NONE)
            read = join_reads(reader, read, reader->read[graph_yield(graph, r, i)]);
        reader->read[result] = read;
    }
}

/* Leaves all operators with regions in the order in which they end, so that it is known of an
   operator's results what is read under their names before anything after it reads them. */
static enum status leave_all(struct reader *reader, struct error *error)
{
    const struct graph *graph = reader->graph;
    uint32_t *left;
    TRY(memory_create(&left, graph->operators, sizeof *left, error));
    uint32_t count = graph_list_left(graph, left);
    for (uint32_t i = 0; i < count; i++) {
        struct span carried = graph->op[left[i]].carried;
        if (!graph->op[left[i]].loop)
            leave_branches(reader, left[i]);
        for (uint32_t c = carried.first; c < carried.first + carried.count; c++)
            if (is_in_arena(reader, graph->carried[c].result))
                reader->read[graph->carried[c].result] = graph->carried[c].argument;
    }
    memory_free(left);
    return STATUS_OK;
}

static void read_all(struct reader *reader, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        reader->varies |= reader->read[reader->graph->list[tensors.first + i]] == VARIES;
}

/* Looks at everything that is read; what a branch yields is not, as it is only handed on. */
static void read_graph(struct reader *reader)
{
    const struct graph *graph = reader->graph;
    for (uint32_t o = 0; o < graph->operators; o++)
        read_all(reader, graph->op[o].inputs);
    for (uint32_t c = 0; c < graph->carried_count; c++) {
        reader->varies |= reader->read[graph->carried[c].init] == VARIES;
        reader->varies |= reader->read[graph->carried[c].yield] == VARIES;
    }
    for (uint32_t r = 0; r < graph->regions; r++) {
        uint32_t owner = graph->region[r].owner;
        if (owner == GRAPH_NONE || graph->op[owner].loop)
            read_all(reader, graph->region[r].yields);
    }
}

enum status addresses_are_static(const struct graph *graph, const struct placement *placement,
                                 bool *are_static, struct error *error)
{
    struct reader reader = {.graph = graph, .placement = placement};
    assert(placement->tensors == graph->tensors && placement->operators == graph->operators);
    TRY(memory_create(&reader.read, graph->tensors, sizeof *reader.read, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        reader.read[t] = t;
    enum status status = leave_all(&reader, error);
    if (!status) {
        read_graph(&reader);
        *are_static = !reader.varies;
    }
    memory_free(reader.read);
    return status;
}
