#include "planning/policies/blocks.h"

/* Like planning/policies/recursive.c, but regions that exclude each other do not share memory: the
   block of an operator holds its regions one after another, and lives to the last use of any of its
   results.

       region then  [a][b]      peak 3 |  block of the If: 4 bytes,
       region else  [c]         peak 1 |  [   then   ][ else ]

   The regions of a loop run in the same turn and are one. */

static enum status place_sum(const struct policy *policy, const struct graph *graph,
                             const struct level_planner *planner, struct placement *placement,
                             struct error *error)
{
    (void)policy;
    static const struct blocks_rule rule = {.side_by_side = true};
    return policy_blocks_place(&rule, graph, planner, placement, error);
}

const struct policy policy_sum = {
    .name = "sum",
    .title = "innermost first; every region of an operator has memory of its own, live to the last "
             "use of its results",
    .source = "what early tools did",
    .place = place_sum,
};
