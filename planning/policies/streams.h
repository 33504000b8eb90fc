#ifndef MEMPLAN_PLANNING_POLICIES_STREAMS_H
#define MEMPLAN_PLANNING_POLICIES_STREAMS_H

#include "planning/policies/whole_graph.h"

/* What the policies for several streams are made of, as struct policy says of make_level. */

/* The exact rule, with a pool for each stream where the policy has them. */
enum status streams_make_level(const struct policy *policy, const struct policy_input *input,
                               struct policy_level *made, struct error *error);
/* Lifetimes on the line of steps that is the list: as if there were one stream, with the policy's
   lag; and as any order of the streams may need them. */
enum status streams_make_list(const struct policy *policy, const struct policy_input *input,
                              struct policy_level *made, struct error *error);
enum status streams_make_intervals(const struct policy *policy, const struct policy_input *input,
                                   struct policy_level *made, struct error *error);

/* policy->place of all of them. Whether an input dies where an output is to be written over it is a
   matter of all streams, which the rules of planning/inplace/inplace.h, made for one line of steps,
   know nothing of: nothing is written over anything. */
enum status streams_place(const struct policy *policy, const struct graph *graph,
                          const struct level_planner *planner, struct placement *placement,
                          struct error *error);

#endif
