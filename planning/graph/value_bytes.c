#include "planning/graph/value_bytes.h"

#include <assert.h>

#include "core/memory.h"
#include "core/scratch.h"

/* Goes through the operators in the order in which they are left, so that the bytes of what is
   yielded are known before those of the result. The result has the most bytes that any branch of
   the way yields for it. */
void value_bytes_find(const struct graph *graph, const uint32_t *way, uint64_t *bytes)
{
    for (uint32_t t = 0; t < graph->tensors; t++)
        bytes[t] = graph->tensor[t].bytes;
    for (uint32_t last = 0; last < graph->operators; last++)
        for (uint32_t o = last; o != GRAPH_NONE && graph->op[o].end == last + 1;
             o = graph_owner(graph, o)) {
            struct span outputs = graph->op[o].outputs;
            for (uint32_t i = 0; i < outputs.count && graph_has_branches(graph, o); i++) {
                uint32_t result = graph->list[outputs.first + i], r = graph->op[o].first_region;
                if (graph->tensor[result].external)
                    continue;
                for (bytes[result] = 0; r != GRAPH_NONE; r = graph->region[r].next) {
                    assert(i < graph->region[r].yields.count);
                    uint64_t yielded = bytes[graph_yield(graph, r, i)];
                    if (yielded > bytes[result] && (!way || way[o] == r))
                        bytes[result] = yielded;
                }
            }
        }
}

enum status value_bytes_create(const struct graph *graph, uint64_t **bytes, struct error *error)
{
    TRY(memory_create(bytes, graph->tensors, sizeof **bytes, error));
    value_bytes_find(graph, NULL, *bytes);
    return STATUS_OK;
}

enum status value_bytes_vary_create(const struct graph *graph, const uint64_t *bytes,
                                    bool **created, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    bool *varies;
    uint32_t *left;
    TRY(scratch_take(&scratch, &left, graph->operators, sizeof *left, error));
    TRY(memory_create(&varies, graph->tensors, sizeof *varies, error));
    uint32_t count = graph_list_left(graph, left);
    assert(count <= graph->operators);
    for (uint32_t l = 0; l < count; l++) {
        struct span outputs = graph->op[left[l]].outputs;
        for (uint32_t i = 0; i < outputs.count && !graph->op[left[l]].loop; i++) {
            uint32_t result = graph->list[outputs.first + i], r = graph->op[left[l]].first_region;
            for (; r != GRAPH_NONE && !graph->tensor[result].external; r = graph->region[r].next) {
                uint32_t yielded = graph_yield(graph, r, i);
                assert(bytes[yielded] <= bytes[result]);
                varies[result] |= varies[yielded] || bytes[yielded] != bytes[result];
            }
        }
    }
    *created = varies;
    return STATUS_OK;
}

enum status value_bytes_any_varies(const struct graph *graph, bool *any, struct error *error)
{
    SCOPED(memory_release) uint64_t *bytes = NULL;
    SCOPED(memory_release) bool *varies = NULL;
    TRY(value_bytes_create(graph, &bytes, error));
    TRY(value_bytes_vary_create(graph, bytes, &varies, error));
    *any = false;
    for (uint32_t t = 0; t < graph->tensors; t++)
        *any |= varies[t];
    return STATUS_OK;
}
