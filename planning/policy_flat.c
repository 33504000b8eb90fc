#include "core/memory.h"
#include "planning/level.h"

static enum status copy_plan(const struct level *level, const struct plan *plan,
                             struct placement *placement, struct error *error)
{
    placement->status = plan->status;
    placement->nodes = plan->nodes;
    if (!plan_found(plan))
        return STATUS_OK;
    placement->peak_bytes = plan->peak_bytes;
    placement->pool_bytes = plan->pool_bytes;
    placement->pools = plan->pools;
    for (uint32_t b = 0; b < plan->buffers; b++)
        TRY(placement_take(placement, level->tensor[b], plan, b, error));
    if (placement->peak_bytes == placement->lower_bound_bytes)
        placement->status = PLAN_OPTIMAL;
    return STATUS_OK;
}

static enum status place_level(const struct level *level, const struct level_planner *planner,
                               struct placement *placement, struct error *error)
{
    struct plan *plan;
    placement->naive_bytes = problem_naive_bytes(level->problem);
    TRY(problem_load(level->problem, &placement->load_bytes, NULL, error));
    placement->lower_bound_bytes = placement->load_bytes;
    TRY(level_plan(level, planner, &plan, error));
    if (plan->lower_bound_bytes > placement->lower_bound_bytes)
        placement->lower_bound_bytes = plan->lower_bound_bytes;
    enum status status = copy_plan(level, plan, placement, error);
    plan_free(plan);
    return status;
}

static enum status place_flat(const struct graph *graph, const struct level_planner *planner,
                              struct placement *placement, struct error *error)
{
    struct liveness *liveness = NULL;
    struct level *level = NULL;
    enum status status;
    TRY_OR_DONE(status, liveness_create_shared(graph, placement, &liveness, error));
    TRY_OR_DONE(status,
                level_create_flat(graph, liveness, planner->alignment_bytes, &level, error));
    TRY_OR_DONE(status, place_level(level, planner, placement, error));
done:
    level_free(level);
    liveness_free(liveness);
    return status;
}

const struct policy policy_flat = {
    .name = "flat",
    .title = "branches one after another on one line; what a branch yields stays live to the last "
             "use of the operator's result",
    .source = "Wang et al., J. NUDT 47(6), 2025: the baseline of Table 1",
    .place = place_flat,
};
