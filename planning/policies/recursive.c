#include "planning/policies/blocks.h"

/* Wang et al., "Memory optimization method for control flow computation graph", J. NUDT 47(6),
   2025, Algorithm 2: the regions of an operator are planned first, each alone; the operator gets
   one block as large as the largest region's peak, which lives to the last use of any of its
   results and is planned with the tensors of the enclosing level.

       region then  [a][b]      peak 3 |  block of the If: 3 bytes,
       region else  [c]         peak 1 |  then at the start of it, else too */

static enum status place_recursive(const struct policy *policy, const struct graph *graph,
                                   const struct level_planner *planner, struct placement *placement,
                                   struct error *error)
{
    (void)policy;
    static const struct blocks_rule rule = {0};
    return policy_blocks_place(&rule, graph, planner, placement, error);
}

const struct policy policy_recursive = {
    .name = "recursive",
    .title = "innermost first; the regions of an operator share one block, live to the last use of "
             "its results",
    .source = "Wang et al., J. NUDT 47(6), 2025: Algorithm 2",
    .place = place_recursive,
};
