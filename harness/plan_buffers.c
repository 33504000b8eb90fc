#include "harness/plan_buffers.h"

static enum status create_level(const struct graph *graph, const struct placement *placement,
                                struct plan_buffers *buffers, struct error *error)
{
    TRY(placement ? liveness_create_shared(graph, placement, &buffers->liveness, error)
                  : liveness_create(graph, &buffers->liveness, error));
    TRY(level_create_flat(graph, buffers->liveness, 1, &buffers->level, error));
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

void plan_buffers_from_placement(const struct plan_buffers *buffers,
                                 const struct placement *placement, struct plan *plan)
{
    for (uint32_t b = 0; b < plan->buffers; b++)
        plan->offset[b] = placement->offset[buffers->level->tensor[b]];
    plan->peak_bytes = placement->peak_bytes;
    plan->status = placement->status;
}

void plan_buffers_to_placement(const struct plan_buffers *buffers, const struct plan *plan,
                               struct placement *placement)
{
    for (uint32_t b = 0; b < plan->buffers; b++)
        placement->offset[buffers->level->tensor[b]] = plan->offset[b];
    placement_share(buffers->instance->graph, placement);
    placement->peak_bytes = plan->peak_bytes;
    placement->status = plan->status;
    placement->naive_bytes = problem_naive_bytes(buffers->problem);
}
