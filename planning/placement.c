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
    extents_free(placement->extents);
    memory_free(placement->block_offset);
    memory_free(placement->block_bytes);
    memory_free(placement);
}

enum status placement_add_extent(struct placement *placement, uint32_t tensor, uint64_t offset,
                                 uint64_t bytes, struct error *error)
{
    if (!extents_count(placement->extents, tensor))
        placement->offset[tensor] = offset;
    return extents_add(&placement->extents, placement->tensors, tensor,
                       (struct extent){offset, bytes}, error);
}

struct extents_walk placement_begin(const struct placement *placement, uint32_t tensor,
                                    uint64_t bytes)
{
    return extents_begin(placement->extents, tensor, placement->offset[tensor], 0, bytes);
}

enum status placement_take(struct placement *placement, uint32_t tensor, const struct plan *plan,
                           uint32_t buffer, struct error *error)
{
    const struct extents *from = plan->extents;
    placement->offset[tensor] = plan->offset[buffer];
    for (uint32_t i = 0; i < extents_count(from, buffer); i++) {
        struct extent extent = from->extent[from->of[buffer].first + i];
        TRY(placement_add_extent(placement, tensor, extent.offset, extent.bytes, error));
    }
    return STATUS_OK;
}
