#ifndef MEMPLAN_PLANNING_POLICIES_WAVES_H
#define MEMPLAN_PLANNING_POLICIES_WAVES_H

#include "planning/policies/whole_graph.h"

/* Operators start in waves: each belongs to the first wave behind all that it comes after, and a
   wave starts when the one before it has ended. So a wave is one position in the list, through
   which all lives that its operators use; and lifetimes are intervals again. What that costs is
   time: all wait for the slowest operator of a wave. The regions of an operator have waves of their
   own.

       main   conv        pool        add            waves: conv, load | pool, send | add
       copy   load        send                       pool waits for load, too, and send for conv

   Both as struct policy says. */
enum status waves_make_level(const struct policy *policy, const struct policy_input *input,
                             struct policy_level *made, struct error *error);
enum status waves_launch(const struct graph *graph, const struct placement *placement,
                         struct graph **launched, struct error *error);

#endif
