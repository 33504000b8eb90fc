#ifndef MEMPLAN_PLANNING_POLICIES_STREAMS_H
#define MEMPLAN_PLANNING_POLICIES_STREAMS_H

#include "planning/policies/whole_graph.h"

/* The functions make_level, launch and place of the policies for several streams, as struct policy
   describes them. */

/* The exact conflicts; with a pool for each stream where the policy has pool_per_stream. */
enum status streams_make_level(const struct policy *policy, const struct policy_input *input,
                               struct policy_level *made, struct error *error);
/* Lifetimes on the line of steps that the list makes. streams_make_list: as if there were one
   stream, with the policy's lag. streams_make_intervals: long enough for every order of the
   streams. */
enum status streams_make_list(const struct policy *policy, const struct policy_input *input,
                              struct policy_level *made, struct error *error);
enum status streams_make_intervals(const struct policy *policy, const struct policy_input *input,
                                   struct policy_level *made, struct error *error);

/* policy->place of all policies for streams. Nothing is written over anything: whether an input is
   dead depends on all streams, which the in-place rules (planning/inplace/inplace.h) do not know,
   since they are made for one line of steps. */
enum status streams_place(const struct policy *policy, const struct graph *graph,
                          const struct level_planner *planner, struct placement *placement,
                          struct error *error);

/* Operators start in waves: each belongs to the first wave behind all that it comes after, and a
   wave starts when the one before it has ended. So a wave is one time step, and all that its
   operators use is live through it: lifetimes are intervals again. This costs time, since all
   operators wait for the slowest one of the wave before. The regions of an operator have waves of
   their own.

       main   conv        pool        add            waves: conv, load | pool, send | add
       copy   load        send                       pool waits for load, too, and send for conv

   streams_make_waves makes the level, streams_launch_waves the graph with the waits. */
enum status streams_make_waves(const struct policy *policy, const struct policy_input *input,
                               struct policy_level *made, struct error *error);
enum status streams_launch_waves(const struct graph *graph, const struct placement *placement,
                                 struct graph **launched, struct error *error);

#endif
