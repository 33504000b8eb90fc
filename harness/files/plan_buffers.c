#include "harness/files/plan_buffers.h"

#include "planning/liveness/sharing.h"

static enum status create_level(const struct graph *graph, const struct placement *placement,
                                struct plan_buffers *buffers, struct error *error)
{
    TRY(placement ? liveness_create_shared(graph, placement, &buffers->liveness, error)
                  : liveness_create(graph, &buffers->liveness, error));
    TRY(level_create_flat(&(struct level_source){graph, buffers->liveness, 1}, &buffers->level,
                          error));
    buffers->problem = buffers->level->problem;
    return STATUS_OK;
}

enum status plan_buffers_create(const struct instance *instance, const struct placement *placement,
                                struct plan_buffers *buffers, struct error *error)
{
    *buffers = (struct plan_buffers){.instance = instance, .problem = instance->problem};
    if (instance->problem)
        return STATUS_OK;
    enum status status = create_level(instance->graph, placement, buffers, error);
    if (status)
        plan_buffers_clear(buffers);
    return status;
}

void plan_buffers_clear(struct plan_buffers *buffers)
{
    level_free(buffers->level);
    liveness_free(buffers->liveness);
    *buffers = (struct plan_buffers){0};
}

static enum status take_tensor(const struct placement *placement, uint32_t tensor,
                               struct plan *plan, uint32_t buffer, struct error *error)
{
    const struct extents *from = placement->extents;
    uint32_t id = storage_ids_get(placement->storage_id, tensor);
    plan->offset[buffer] = placement->offset[tensor];
    if (id != STORAGE_IDS_NONE)
        TRY(storage_ids_set(&plan->storage_id, plan->buffers, buffer, id, error));
    for (uint32_t i = 0; i < extents_count(from, tensor); i++) {
        const struct extent *extent = &from->extent[from->of[tensor].first + i];
        TRY(plan_add_extent(plan, buffer, extent->offset, extent->bytes, error));
    }
    return STATUS_OK;
}

enum status plan_buffers_from_placement(const struct plan_buffers *buffers,
                                        const struct placement *placement, struct plan *plan,
                                        struct error *error)
{
    for (uint32_t b = 0; b < plan->buffers; b++)
        TRY(take_tensor(placement, buffers->level->tensor[b], plan, b, error));
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
