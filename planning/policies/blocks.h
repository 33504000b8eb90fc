#ifndef MEMPLAN_PLANNING_POLICIES_BLOCKS_H
#define MEMPLAN_PLANNING_POLICIES_BLOCKS_H

#include "planning/policies/policy_row.h"

/* policy->place of the policies with blocks. Regions are planned innermost first, each alone. An
   operator with regions gets one block for what they hold, which is planned with the tensors of the
   enclosing level. The regions of a loop run in one turn and are planned as one.

   A block is one run of bytes, whatever the planner may split: where a plan splits a block, the
   placement is PLAN_UNSUPPORTED. Tensors may be split. O(graph) besides what the planner takes for
   each region. */
enum status blocks_place(const struct policy *policy, const struct graph *graph,
                         const struct level_planner *planner, struct placement *placement,
                         struct error *error);

#endif
