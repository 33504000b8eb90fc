#include "planning/plan/placement.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"

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
    extents_free(placement->extents);
    memory_free(placement->storage_id);
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

struct extents_walk placement_begin(const struct placement *placement, uint32_t tensor,
                                    uint64_t bytes)
{
    assert(tensor < placement->tensors);
    return extents_begin(placement->extents, tensor, placement->offset[tensor], 0, bytes);
}

bool placement_starts_on(const struct placement *placement, const struct graph *graph,
                         uint32_t output, uint32_t input)
{
    uint64_t bytes = graph->tensor[output].bytes;
    assert(placement->tensors == graph->tensors);
    return bytes <= graph->tensor[input].bytes &&
           extents_coincide(placement_begin(placement, output, bytes),
                            placement_begin(placement, input, bytes));
}

/* Adds an extent behind those that the tensor has, whose first one says its offset. All extents of
   a tensor are added one after another. */
static enum status add_extent(struct placement *placement, uint32_t tensor, struct extent extent,
                              struct error *error)
{
    assert(tensor < placement->tensors);
    if (!extents_count(placement->extents, tensor))
        placement->offset[tensor] = extent.offset;
    return extents_add(&placement->extents, placement->tensors, tensor, extent, error);
}

static enum status set_storage(struct placement *placement, uint32_t tensor, uint32_t id,
                               struct error *error)
{
    if (id == STORAGE_IDS_NONE)
        return STATUS_OK;
    return storage_ids_set(&placement->storage_id, placement->tensors, tensor, id, error);
}

/* Gives the tensor the offset and the storage id that the buffer has in the plan, without its
   extents. */
static enum status take_start(struct placement *placement, uint32_t tensor, struct plan_buffer from,
                              struct error *error)
{
    assert(tensor < placement->tensors && from.buffer < from.plan->buffers);
    placement->offset[tensor] = from.plan->offset[from.buffer];
    return set_storage(placement, tensor, storage_ids_get(from.plan->storage_id, from.buffer),
                       error);
}

enum status placement_take(struct placement *placement, uint32_t tensor, struct plan_buffer from,
                           struct error *error)
{
    const struct extents *extents = from.plan->extents;
    TRY(take_start(placement, tensor, from, error));
    for (uint32_t i = 0; i < extents_count(extents, from.buffer); i++)
        TRY(add_extent(placement, tensor, extents->extent[extents->of[from.buffer].first + i],
                       error));
    return STATUS_OK;
}

/* Where the extents of an item are to be found. They may be the placement's own, which move in
   memory while others are added. */
struct item_extents {
    struct extents *const *extents;
    uint32_t item;
};

static bool is_split_below(const struct extents *extents, uint32_t item, uint64_t bytes)
{
    return extents_count(extents, item) && extents->extent[extents->of[item].first].bytes < bytes;
}

static enum status take_first(struct placement *placement, uint32_t tensor, uint64_t bytes,
                              struct item_extents from, struct error *error)
{
    uint32_t count = extents_count(*from.extents, from.item);
    if (!is_split_below(*from.extents, from.item, bytes))
        return STATUS_OK;
    for (uint32_t i = 0; i < count && bytes; i++) {
        struct extent extent = (*from.extents)->extent[(*from.extents)->of[from.item].first + i];
        extent.bytes = extent.bytes < bytes ? extent.bytes : bytes;
        bytes -= extent.bytes;
        TRY(add_extent(placement, tensor, extent, error));
    }
    return STATUS_OK;
}

enum status placement_take_first(struct placement *placement, uint32_t tensor, uint64_t bytes,
                                 struct plan_buffer from, struct error *error)
{
    TRY(take_start(placement, tensor, from, error));
    return take_first(placement, tensor, bytes,
                      (struct item_extents){&from.plan->extents, from.buffer}, error);
}

static enum status share_place(const struct graph *graph, struct placement *placement,
                               uint32_t tensor, struct error *error)
{
    uint32_t other = placement->overwrites[tensor];
    assert(other == GRAPH_NONE || other < graph->tensors);
    if (other == GRAPH_NONE)
        return STATUS_OK;
    placement->offset[tensor] = placement->offset[other];
    TRY(set_storage(placement, tensor, storage_ids_get(placement->storage_id, other), error));
    return take_first(placement, tensor, graph->tensor[tensor].bytes,
                      (struct item_extents){&placement->extents, other}, error);
}

enum status placement_share(const struct graph *graph, struct placement *placement,
                            struct error *error)
{
    assert(placement->tensors == graph->tensors && placement->operators == graph->operators);
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct span outputs = graph->op[o].outputs, carried = graph->op[o].carried;
        for (uint32_t c = 0; c < carried.count; c++)
            TRY(share_place(graph, placement, graph->carried[carried.first + c].argument, error));
        for (uint32_t i = 0; i < outputs.count; i++)
            TRY(share_place(graph, placement, graph->list[outputs.first + i], error));
    }
    return STATUS_OK;
}

static uint64_t find_end(const struct placement *placement, const uint64_t *value_bytes,
                         uint32_t tensor)
{
    if (placement->offset[tensor] == PROBLEM_FREE)
        return 0;
    return extents_end(placement->extents, tensor, placement->offset[tensor], value_bytes[tensor]);
}

enum status placement_find_peak(const struct graph *graph, const struct placement *placement,
                                uint64_t *peak_bytes, struct error *error)
{
    uint64_t *value_bytes;
    TRY(value_bytes_create(graph, &value_bytes, error));
    *peak_bytes = 0;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint64_t end = find_end(placement, value_bytes, t);
        *peak_bytes = end > *peak_bytes ? end : *peak_bytes;
    }
    memory_free(value_bytes);
    return STATUS_OK;
}
