#include "planning/policies/blocks.h"

/* Like planning/policies/recursive.c, but the results of an If are buffers of the level around it,
   as large as the largest that a branch yields there, live from entering the If to their last use.
   What a branch defines and yields is written straight into the result
   (planning/liveness/result_places.h), anything else is copied there when the If is left. So the
   block holds only what nobody reads outside, and lives only while the operator runs.

       step        1 enters    2    3  4 leaves  5    6 reads r
       result r    [ then: t / else: e                        ]
       block       [ then: a / else: b         ]

   Results of Ifs in branches are in the places of those around them, to any depth. */

static enum status place_hoist(const struct policy *policy, const struct graph *graph,
                               const struct level_planner *planner, struct placement *placement,
                               struct error *error)
{
    (void)policy;
    static const struct blocks_rule rule = {.hoists = true};
    return policy_blocks_place(&rule, graph, planner, placement, error);
}

const struct policy policy_hoist = {
    .name = "hoist",
    .title = "innermost first; results are buffers of the enclosing level, the regions of an "
             "operator share one block for the rest, live only while it runs",
    .source = "ours",
    .place = place_hoist,
};
