#include "planning/policies/whole_graph.h"

static enum status make_flat(const struct graph *graph, const struct placement *placement,
                             uint64_t alignment_bytes, struct policy_level *made,
                             struct error *error)
{
    TRY(liveness_create_shared(graph, placement, &made->liveness, error));
    return level_create_flat(graph, made->liveness, alignment_bytes, &made->level, error);
}

static enum status place_flat(const struct graph *graph, const struct level_planner *planner,
                              struct placement *placement, struct error *error)
{
    return policy_level_place(&policy_flat, graph, planner, placement, error);
}

const struct policy policy_flat = {
    .name = "flat",
    .title = "branches one after another on one line; what a branch yields stays live to the last "
             "use of the operator's result",
    .source = "Wang et al., J. NUDT 47(6), 2025: the baseline of Table 1",
    .make_level = make_flat,
    .place = place_flat,
};
