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
    memory_free(placement);
}
