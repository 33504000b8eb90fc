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

/* Operators start in waves: each belongs to the first wave behind all that it comes after, and a
   wave starts when the one before it has ended. So a wave is one position in the list, through
   which all lives that its operators use; and lifetimes are intervals again. What that costs is
   time: all wait for the slowest operator of a wave. The regions of an operator have waves of their
   own.

       main   conv        pool        add            waves: conv, load | pool, send | add
       copy   load        send                       pool waits for load, too, and send for conv

   Both as struct policy says. */
enum status streams_make_waves(const struct policy *policy, const struct policy_input *input,
                               struct policy_level *made, struct error *error);
enum status streams_launch_waves(const struct graph *graph, const struct placement *placement,
                                 struct graph **launched, struct error *error);

#endif
