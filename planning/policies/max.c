#include "planning/policies/blocks.h"

/* Like planning/policies/recursive.c, but the block of an operator lives only while the operator
   runs. What a branch yields is in the block and is read after that, so it may be overwritten by
   then:

       step      1 enters  2  3  4 leaves  5       6 reads r
       block     [ then: t / else: e     ]
       tensors                             [ u: over t or e ]

   Unsafe where a result outlives its operator. It is here to show that the checks catch that. */

static enum status place_max(const struct policy *policy, const struct graph *graph,
                             const struct level_planner *planner, struct placement *placement,
                             struct error *error)
{
    (void)policy;
    static const struct blocks_rule rule = {.until_left = true};
    return policy_blocks_place(&rule, graph, planner, placement, error);
}

const struct policy policy_max = {
    .name = "max",
    .title = "innermost first; the regions of an operator share one block, live only while it runs",
    .source = "what recursive is without the lifetimes of results",
    .flags = POLICY_UNSAFE,
    .place = place_max,
};
