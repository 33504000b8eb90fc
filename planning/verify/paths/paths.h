#ifndef MEMPLAN_PLANNING_VERIFY_PATHS_PATHS_H
#define MEMPLAN_PLANNING_VERIFY_PATHS_PATHS_H

#include "planning/plan/placement.h"
#include "planning/verify/verdict.h"

/* Checks a placement against the graph itself, whatever policy made it: two tensors may share bytes
   unless on some path through the branches one is written while the other is still needed. The
   check finds its own lifetimes on all paths, backwards over the graph, and shares no code with
   liveness.h or any policy:

   - In a branch, a tensor of an enclosing level is needed only as far as that branch, or something
     after the operator, still reads it.
   - What a branch yields is needed up to the step that leaves the operator. Where the result has a
     place of its own, it is copied there, all results as if at once, unless it lies exactly there;
     on paths through that branch the result then has as many bytes as were yielded.
   - Where the result has no place, what is yielded is needed as long as the result is, on paths
     through that branch only, so what different branches yield never conflicts.
   - What the body of a loop reads from outside is needed until the loop is left; a carried argument
     keeps its place from entering the loop to the last reader of its result.
   - An output may lie on an input of its operator, from its first byte on, where the placement says
     so, and only if the operator reads nothing else there and nothing there is needed afterwards.
   - Likewise an argument may lie on its init, if nothing needs the init after the loop is entered,
     and what a body makes on an argument that this turn needs no more.
   - A view and what it is a view of are one value, whose place is needed as long as either is.
     Whether the operator is able to write in place is not checked here.
   - Tensors of different devices share no bytes, whenever they are needed.

   first and second of the verdict are tensors. O(operators * live + uses * depth) time; two split
   tensors cost the product of their extents. */
enum status verify_paths(const struct graph *graph, const struct placement *placement,
                         struct verdict *verdict, struct error *error);

#endif
