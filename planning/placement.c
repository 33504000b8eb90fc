#include "planning/placement.h"

#include "core/memory.h"

static enum status create_offsets(uint64_t **offsets, uint32_t count, struct error *error)
{
    TRY(memory_create(offsets, count, sizeof **offsets, error));
    for (uint32_t i = 0; i < count; i++)
        (*offsets)[i] = PROBLEM_FREE;
    return STATUS_OK;
}

enum status placement_create(const struct graph *graph, struct placement **created,
                             struct error *error)
{
    struct placement *placement;
    enum status status;
    TRY(memory_create(&placement, 1, sizeof *placement, error));
    placement->tensors = graph->tensors;
    placement->operators = graph->operators;
    placement->status = PLAN_TIMEOUT;
    TRY_OR_DONE(status, create_offsets(&placement->offset, graph->tensors, error));
    TRY_OR_DONE(status, create_offsets(&placement->block_offset, graph->operators, error));
    TRY_OR_DONE(status, memory_create(&placement->block_bytes, graph->operators,
                                      sizeof *placement->block_bytes, error));
    TRY_OR_DONE(status, memory_create(&placement->overwrites, graph->tensors,
                                      sizeof *placement->overwrites, error));
    TRY_OR_DONE(status, memory_create(&placement->is_view, graph->tensors,
                                      sizeof *placement->is_view, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        placement->overwrites[t] = GRAPH_NONE;
    *created = placement;
done:
    if (status)
        placement_free(placement);
    return status;
}

void placement_free(struct placement *placement)
{
    if (!placement)
        return;
    memory_free(placement->offset);
    memory_free(placement->block_offset);
    memory_free(placement->block_bytes);
    memory_free(placement->overwrites);
    memory_free(placement->is_view);
    memory_free(placement);
}

uint32_t placement_in_place(const struct placement *placement)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < placement->tensors; t++)
        count += placement->overwrites[t] != GRAPH_NONE;
    return count;
}

void placement_share(const struct graph *graph, struct placement *placement)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct span outputs = graph->operator[o].outputs;
        for (uint32_t i = 0; i < outputs.count; i++) {
            uint32_t output = graph->list[outputs.first + i];
            uint32_t input = placement->overwrites[output];
            if (input != GRAPH_NONE)
                placement->offset[output] = placement->offset[input];
        }
    }
}
