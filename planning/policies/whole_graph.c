#include "planning/policies/whole_graph.h"

#include "core/memory.h"

static enum status take_homes(const struct level *level, const struct homes *homes, uint32_t buffer,
                              const struct plan *plan, struct placement *placement,
                              struct error *error)
{
    for (uint32_t t = level->tensor[buffer]; t != GRAPH_NONE; t = homes->next[t])
        TRY(placement_take_first(placement, t, homes->bytes[t], plan, buffer, error));
    return STATUS_OK;
}

static enum status copy_plan(const struct level *level, const struct homes *homes,
                             const struct plan *plan, struct placement *placement,
                             struct error *error)
{
    placement->status = plan->status;
    placement->measures = plan->measures;
    if (!plan_found(plan))
        return STATUS_OK;
    for (uint32_t b = 0; b < plan->buffers; b++)
        TRY(homes ? take_homes(level, homes, b, plan, placement, error)
                  : placement_take(placement, level->tensor[b], plan, b, error));
    if (placement->measures.peak_bytes == placement->measures.lower_bound_bytes)
        placement->status = PLAN_OPTIMAL;
    return STATUS_OK;
}

enum status policy_level_plan(const struct policy_level *made, const struct level_planner *planner,
                              struct placement *placement, struct error *error)
{
    const struct level *level = made->level;
    struct plan *plan;
    TRY(level_plan(level, planner, &plan, error));
    enum status status = plan_complete(plan, level->problem, error);
    if (!status)
        status = copy_plan(level, made->homes, plan, placement, error);
    plan_free(plan);
    return status;
}

static enum status check_policy(const struct policy *policy, struct error *error)
{
    if (policy->make_level)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "policy '%s' plans level by level, expected one that makes one problem of a "
                     "graph: flat, path or select",
                     policy->name);
}

enum status policy_level_create(const struct policy *policy, const struct graph *graph,
                                const struct placement *placement, uint64_t alignment_bytes,
                                struct policy_level *made, struct error *error)
{
    *made = (struct policy_level){0};
    TRY(check_policy(policy, error));
    return policy->make_level(graph, placement, alignment_bytes, made, error);
}

void policy_level_free(struct policy_level *made)
{
    level_free(made->level);
    liveness_free(made->liveness);
    homes_free(made->homes);
    *made = (struct policy_level){0};
}

enum status policy_level_place(const struct policy *policy, const struct graph *graph,
                               const struct level_planner *planner, struct placement *placement,
                               struct error *error)
{
    struct policy_level made;
    enum status status =
        policy_level_create(policy, graph, placement, planner->alignment_bytes, &made, error);
    if (!status)
        status = policy_level_plan(&made, planner, placement, error);
    policy_level_free(&made);
    return status;
}
