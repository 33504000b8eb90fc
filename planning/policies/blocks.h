#ifndef MEMPLAN_PLANNING_POLICIES_BLOCKS_H
#define MEMPLAN_PLANNING_POLICIES_BLOCKS_H

#include "planning/policies/policy.h"

/* What the policies with blocks share: regions are planned innermost first, each alone; an operator
   gets one block for what its regions hold, which is planned with the tensors of the enclosing
   level. The regions of a loop run in one turn and are planned as one.

   A block is one run of bytes, whatever the planner may split: where a plan splits a block, the
   placement is PLAN_UNSUPPORTED. Tensors may be split. */
struct blocks_rule {
    bool side_by_side; /* regions of an operator lie one after another in its block, not on top of
                          each other */
    bool until_left;   /* a block lives until its operator is left, whoever reads its results */
    bool hoists;       /* results of Ifs are buffers of the enclosing level, and what is written in
                          their places (planning/liveness/result_places.h) is in no block */
};

/* As struct policy says of place. O(graph) and what the planner takes for each region. */
enum status policy_blocks_place(const struct blocks_rule *rule, const struct graph *graph,
                                const struct level_planner *planner, struct placement *placement,
                                struct error *error);

#endif
