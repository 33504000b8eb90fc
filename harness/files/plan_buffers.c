#include "harness/files/plan_buffers.h"

#include "planning/liveness/sharing.h"

enum status plan_buffers_create(const struct instance *instance, const struct placement *placement,
                                uint64_t alignment_bytes, struct plan_buffers *buffers,
                                struct error *error)
{
    const struct graph *graph = instance->graph;
    *buffers = (struct plan_buffers){.instance = instance, .problem = instance->problem};
    if (instance->problem)
        return STATUS_OK;
    TRY(placement ? liveness_create_shared(graph, placement, &buffers->liveness, error)
                  : liveness_create(graph, &buffers->liveness, error));
    TRY(level_create_flat(&(struct level_source){graph, buffers->liveness, alignment_bytes},
                          &buffers->level, error));
    buffers->problem = buffers->level->problem;
    return STATUS_OK;
}

void plan_buffers_clear(struct plan_buffers *buffers)
{
    level_free(buffers->level);
    liveness_free(buffers->liveness);
    *buffers = (struct plan_buffers){0};
}

enum status plan_buffers_from_placement(const struct plan_buffers *buffers,
                                        const struct placement *placement, struct plan *plan,
                                        struct error *error)
{
    const struct extents *from = placement->extents;
    for (uint32_t b = 0; b < plan->buffers; b++) {
        uint32_t tensor = buffers->level->tensor[b];
        uint32_t id = storage_ids_get(placement->storage_id, tensor);
        plan->offset[b] = placement->offset[tensor];
        if (id != STORAGE_IDS_NONE)
            TRY(storage_ids_set(&plan->storage_id, plan->buffers, b, id, error));
        for (uint32_t i = 0; i < extents_count(from, tensor); i++) {
            const struct extent *extent = &from->extent[from->of[tensor].first + i];
            TRY(plan_add_extent(plan, b, extent->offset, extent->bytes, error));
        }
    }
    plan->measures.peak_bytes = placement->measures.peak_bytes;
    plan->status = placement->status;
    return STATUS_OK;
}

enum status plan_buffers_to_placement(const struct plan_buffers *buffers, const struct plan *plan,
                                      struct placement *placement, struct error *error)
{
    for (uint32_t b = 0; b < plan->buffers; b++)
        TRY(placement_take(placement, buffers->level->tensor[b], (struct plan_buffer){plan, b},
                           error));
    TRY(placement_share(buffers->instance->graph, placement, error));
    placement->measures.peak_bytes = plan->measures.peak_bytes;
    placement->status = plan->status;
    placement->measures.naive_bytes = problem_naive_bytes(buffers->problem);
    return STATUS_OK;
}
