#include "planning/liveness/sharing.h"
#include "planning/policies/whole_graph.h"

/* All tensors are one level, on one line of time steps. The branches of an If follow one another on
   it, so what the first yields stays live through the others:

       if -> r, then: relu -> t, else: pool -> e; dense reads r

       step   0 enters  1 relu  2 pool  3 leaves  4 dense
       t                [                               ]
       e                        [                       ] */

static enum status make_flat(const struct policy *policy, const struct policy_input *input,
                             struct policy_level *made, struct error *error)
{
    (void)policy;
    TRY(liveness_create_shared(input->graph, input->placement, &made->liveness, error));
    return level_create_flat(
        &(struct level_source){input->graph, made->liveness, input->alignment_bytes}, &made->level,
        error);
}

static enum status place_flat(const struct policy *policy, const struct graph *graph,
                              const struct level_planner *planner, struct placement *placement,
                              struct error *error)
{
    return policy_level_place(policy, graph, planner, placement, error);
}

const struct policy policy_flat = {
    .name = "flat",
    .title = "branches one after another on one line; what a branch yields stays live to the last "
             "use of the operator's result",
    .source = "Wang et al., J. NUDT 47(6), 2025: the baseline of Table 1",
    .make_level = make_flat,
    .place = place_flat,
};
