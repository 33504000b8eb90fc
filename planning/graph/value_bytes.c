#include "planning/graph/value_bytes.h"

#include "core/memory.h"

static void find_yielded(const struct graph *graph, uint32_t o, uint64_t *bytes)
{
    struct span outputs = graph->op[o].outputs;
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint64_t most = 0;
        uint32_t result = graph->list[outputs.first + i];
        if (graph->tensor[result].external)
            continue;
        for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
            uint64_t yielded = bytes[graph->list[graph->region[r].yields.first + i]];
            most = yielded > most ? yielded : most;
        }
        bytes[result] = most;
    }
}

/* Operators in the order in which they are left, so that what is yielded is known by then. */
enum status value_bytes_create(const struct graph *graph, uint64_t **created, struct error *error)
{
    uint64_t *bytes;
    TRY(memory_create(&bytes, graph->tensors, sizeof *bytes, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        bytes[t] = graph->tensor[t].bytes;
    for (uint32_t last = 0; last < graph->operators; last++)
        for (uint32_t o = last; o != GRAPH_NONE && graph->op[o].end == last + 1;
             o = graph->region[graph->op[o].region].owner)
            if (graph->op[o].first_region != GRAPH_NONE && !graph->op[o].loop)
                find_yielded(graph, o, bytes);
    *created = bytes;
    return STATUS_OK;
}
