#include "planning/policies/whole_graph.h"

#include <assert.h>

#include "planning/liveness/sharing.h"
#include "planning/lowering/path_level.h"

enum status policy_level_take(const struct result_places *places, uint32_t tensor,
                              struct plan_buffer from, struct placement *placement,
                              struct error *error)
{
    assert(tensor < placement->tensors);
    if (!places)
        return placement_take(placement, tensor, from, error);
    for (; tensor != GRAPH_NONE; tensor = places->next[tensor])
        TRY(placement_take_first(placement, tensor, places->bytes[tensor], from, error));
    return STATUS_OK;
}

enum status policy_level_plan(const struct policy_level *made, const struct level_planner *planner,
                              struct placement *placement, struct error *error)
{
    const struct level *level = made->level;
    SCOPED(plan_release) struct plan *plan = NULL;
    assert(placement->tensors == level->graph->tensors);
    TRY(level_plan(level, planner, &plan, error));
    TRY(plan_complete(plan, level->problem, error));
    assert(!plan_found(plan) || planner->unchecked ||
           plan->measures.lower_bound_bytes <= plan->measures.peak_bytes);
    assert(plan->buffers == level->problem->buffers);
    placement->status = plan->status;
    placement->measures = plan->measures;
    if (!plan_found(plan))
        return STATUS_OK;
    for (uint32_t b = 0; b < plan->buffers; b++)
        TRY(policy_level_take(made->places, level->tensor[b], (struct plan_buffer){plan, b},
                              placement, error));
    if (level->is_cautious) {
        placement->status = PLAN_FEASIBLE;
        placement->measures.lower_bound_bytes = 0;
    } else if (placement->measures.peak_bytes == placement->measures.lower_bound_bytes) {
        placement->status = PLAN_OPTIMAL;
    }
    return STATUS_OK;
}

enum status policy_level_create(const struct policy *policy, const struct policy_input *input,
                                struct policy_level *made, struct error *error)
{
    *made = (struct policy_level){0};
    if (policy->make_level)
        return policy->make_level(policy, input, made, error);
    return error_set(error, STATUS_USAGE,
                     "policy '%s' plans level by level, expected one that makes one problem of a "
                     "graph: flat, path or select",
                     policy->name);
}

enum status policy_level_make_line(const struct policy_input *input, struct policy_level *made,
                                   struct error *error)
{
    assert(made->liveness);
    return level_create_flat(
        &(struct level_source){input->graph, made->liveness, input->alignment_bytes}, &made->level,
        error);
}

enum status policy_level_make_flat(const struct policy *policy, const struct policy_input *input,
                                   struct policy_level *made, struct error *error)
{
    (void)policy;
    TRY(liveness_create_shared(input->graph, input->placement, &made->liveness, error));
    return policy_level_make_line(input, made, error);
}

enum status policy_level_create_in_places(const struct policy_input *input,
                                          struct result_places *places, struct policy_level *made,
                                          struct error *error)
{
    *made = (struct policy_level){.places = places};
    assert(places);
    TRY(liveness_create_in_places(input->graph, input->placement, places, &made->liveness, error));
    return path_level_create(
        &(struct level_source){input->graph, made->liveness, input->alignment_bytes}, places,
        &made->level, error);
}

void policy_level_free(struct policy_level *made)
{
    level_free(made->level);
    liveness_free(made->liveness);
    result_places_free(made->places);
    *made = (struct policy_level){0};
}

enum status policy_level_place(const struct policy *policy, const struct graph *graph,
                               const struct level_planner *planner, struct placement *placement,
                               struct error *error)
{
    const struct policy_input input = {graph, placement, planner->alignment_bytes};
    SCOPED(policy_level_free) struct policy_level made = {0};
    TRY(policy_level_create(policy, &input, &made, error));
    return policy_level_plan(&made, planner, placement, error);
}
