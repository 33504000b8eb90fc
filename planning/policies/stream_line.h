#ifndef MEMPLAN_PLANNING_POLICIES_STREAM_LINE_H
#define MEMPLAN_PLANNING_POLICIES_STREAM_LINE_H

#include "planning/policies/whole_graph.h"

/* What the policies for several streams share; most of it puts tensors on one line of steps, the
   list. */

/* Lifetimes as on one stream, where every result of an If has a place of its own. */
enum status stream_line_create(const struct graph *graph, struct liveness **liveness,
                               struct error *error);
/* Makes made->level from made->liveness. */
enum status stream_line_level(const struct policy_input *input, struct policy_level *made,
                              struct error *error);
/* policy->place of all policies for several streams. Whether an input dies where an output is to be
   written over it is a matter of all streams, which the rules of planning/inplace/inplace.h, made
   for one line of steps, know nothing of: nothing is written over anything. */
enum status stream_line_place(const struct policy *policy, const struct graph *graph,
                              const struct level_planner *planner, struct placement *placement,
                              struct error *error);

#endif
