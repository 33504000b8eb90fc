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
    SCOPED(placement_release) struct placement *made = NULL;
    uint32_t tensors = graph->tensors, operators = graph->operators;
    TRY(memory_create(&made, 1, sizeof *made, error));
    made->tensors = tensors;
    made->operators = operators;
    made->status = PLAN_TIMEOUT;
    TRY(create_offsets(&made->offset, tensors, error));
    TRY(create_offsets(&made->block_offset, operators, error));
    TRY(memory_create(&made->block_bytes, operators, sizeof *made->block_bytes, error));
    TRY(memory_create_all(tensors, error, &made->overwrites, &made->is_view));
    for (uint32_t t = 0; t < tensors; t++)
        made->overwrites[t] = GRAPH_NONE;
    HAND_OVER(made, created);
}

void placement_free(struct placement *placement)
{
    if (!placement)
        return;
    memory_free(placement->offset);
    extents_free(placement->extents);
    memory_free_all(placement->storage_id, placement->block_offset, placement->block_bytes,
                    placement->overwrites, placement->is_view, placement);
}

uint32_t placement_in_place(const struct placement *placement)
{
    assert(placement->overwrites);
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

/* Gives the tensor an offset and, if there is one, a storage id, without extents. */
static enum status take_start(struct placement *placement, uint32_t tensor, uint64_t offset,
                              uint32_t id, struct error *error)
{
    assert(tensor < placement->tensors);
    placement->offset[tensor] = offset;
    return id == STORAGE_IDS_NONE
               ? STATUS_OK
               : storage_ids_set(&placement->storage_id, placement->tensors, tensor, id, error);
}

enum status placement_take(struct placement *placement, uint32_t tensor, struct plan_buffer from,
                           struct error *error)
{
    assert(tensor < placement->tensors);
    const struct plan *plan = from.plan;
    const struct extents *extents = plan->extents;
    assert(from.buffer < plan->buffers);
    TRY(take_start(placement, tensor, plan->offset[from.buffer],
                   storage_ids_get(plan->storage_id, from.buffer), error));
    for (uint32_t i = 0; i < extents_count(extents, from.buffer); i++)
        TRY(add_extent(placement, tensor, extents->extent[extents->of[from.buffer].first + i],
                       error));
    return STATUS_OK;
}

/* Adds the first `bytes` bytes of an item that is split below them. The extents, *from, may be the
   placement's own, which move in memory while others are added. */
static enum status take_first(struct placement *placement, uint32_t tensor, uint64_t bytes,
                              struct extents *const *from, uint32_t item, struct error *error)
{
    assert(item < (*from ? (*from)->items : UINT32_MAX));
    uint32_t count = extents_count(*from, item);
    if (!count || (*from)->extent[(*from)->of[item].first].bytes >= bytes)
        return STATUS_OK;
    for (uint32_t i = 0; i < count && bytes; i++) {
        struct extent extent = (*from)->extent[(*from)->of[item].first + i];
        extent.bytes = extent.bytes < bytes ? extent.bytes : bytes;
        bytes -= extent.bytes;
        TRY(add_extent(placement, tensor, extent, error));
    }
    return STATUS_OK;
}

enum status placement_take_first(struct placement *placement, uint32_t tensor, uint64_t bytes,
                                 struct plan_buffer from, struct error *error)
{
    const struct plan *plan = from.plan;
    assert(from.buffer < plan->buffers);
    TRY(take_start(placement, tensor, plan->offset[from.buffer],
                   storage_ids_get(plan->storage_id, from.buffer), error));
    return take_first(placement, tensor, bytes, &plan->extents, from.buffer, error);
}

static enum status share_place(const struct graph *graph, struct placement *placement,
                               uint32_t tensor, struct error *error)
{
    uint32_t other = placement->overwrites[tensor];
    assert(tensor < graph->tensors);
    if (other == GRAPH_NONE)
        return STATUS_OK;
    assert(other < graph->tensors);
    TRY(take_start(placement, tensor, placement->offset[other],
                   storage_ids_get(placement->storage_id, other), error));
    return take_first(placement, tensor, graph->tensor[tensor].bytes, &placement->extents, other,
                      error);
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

enum status placement_find_peak(const struct graph *graph, const struct placement *placement,
                                uint64_t *peak_bytes, struct error *error)
{
    SCOPED(memory_release) uint64_t *bytes = NULL;
    TRY(value_bytes_create(graph, &bytes, error));
    assert(placement->tensors == graph->tensors);
    *peak_bytes = 0;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        if (placement->offset[t] == PROBLEM_FREE)
            continue;
        uint64_t end = extents_end(placement->extents, t, placement->offset[t], bytes[t]);
        *peak_bytes = end > *peak_bytes ? end : *peak_bytes;
    }
    return STATUS_OK;
}
