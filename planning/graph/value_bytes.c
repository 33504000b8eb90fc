#include "planning/graph/value_bytes.h"

#include <assert.h>

#include "core/memory.h"

/* Sets the bytes of the results of an operator with branches to the most that a branch of the way
   yields for each. */
static void set_value_bytes(const struct graph *graph, const uint32_t *way, uint32_t o,
                            uint64_t *bytes)
{
    struct span outputs = graph->op[o].outputs;
    assert(graph_has_branches(graph, o));
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t result = graph->list[outputs.first + i];
        uint64_t most = 0;
        if (graph->tensor[result].external)
            continue;
        for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
            uint64_t yielded = bytes[graph_yield(graph, r, i)];
            most = yielded > most && (!way || way[o] == r) ? yielded : most;
        }
        bytes[result] = most;
    }
}

/* Goes through the operators in the order in which they are left, so that the bytes of what is
   yielded are known before those of the result. */
void value_bytes_find(const struct graph *graph, const uint32_t *way, uint64_t *bytes)
{
    for (uint32_t t = 0; t < graph->tensors; t++)
        bytes[t] = graph->tensor[t].bytes;
    for (uint32_t last = 0; last < graph->operators; last++)
        for (uint32_t o = last; o != GRAPH_NONE && graph->op[o].end == last + 1;
             o = graph_owner(graph, o))
            if (graph_has_branches(graph, o))
                set_value_bytes(graph, way, o, bytes);
}

enum status value_bytes_create(const struct graph *graph, uint64_t **bytes, struct error *error)
{
    TRY(memory_create(bytes, graph->tensors, sizeof **bytes, error));
    value_bytes_find(graph, NULL, *bytes);
    return STATUS_OK;
}

static void set_varying(const struct graph *graph, uint32_t o, const uint64_t *bytes, bool *varies)
{
    struct span outputs = graph->op[o].outputs;
    for (uint32_t i = 0; i < outputs.count; i++) {
        uint32_t result = graph->list[outputs.first + i];
        for (uint32_t r = graph->op[o].first_region;
             r != GRAPH_NONE && !graph->tensor[result].external; r = graph->region[r].next) {
            uint32_t yielded = graph_yield(graph, r, i);
            varies[result] |= varies[yielded] || bytes[yielded] != bytes[result];
        }
    }
}

enum status value_bytes_vary_create(const struct graph *graph, const uint64_t *bytes,
                                    bool **created, struct error *error)
{
    bool *varies;
    TRY(memory_create(&varies, graph->tensors, sizeof *varies, error));
    for (uint32_t last = 0; last < graph->operators; last++)
        for (uint32_t o = last; o != GRAPH_NONE && graph->op[o].end == last + 1;
             o = graph_owner(graph, o))
            if (graph_has_branches(graph, o))
                set_varying(graph, o, bytes, varies);
    *created = varies;
    return STATUS_OK;
}

enum status value_bytes_any_varies(const struct graph *graph, bool *any, struct error *error)
{
    uint64_t *bytes = NULL;
    bool *varies = NULL;
    enum status status;
    *any = false;
    TRY_OR_DONE(status, value_bytes_create(graph, &bytes, error));
    TRY_OR_DONE(status, value_bytes_vary_create(graph, bytes, &varies, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        *any |= varies[t];
done:
    memory_free(bytes);
    memory_free(varies);
    return status;
}
