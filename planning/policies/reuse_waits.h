#ifndef MEMPLAN_PLANNING_POLICIES_REUSE_WAITS_H
#define MEMPLAN_PLANNING_POLICIES_REUSE_WAITS_H

#include "planning/plan/placement.h"

/* Adds waits to a graph so that a placement that was made as if operators ran one after another, as
   listed, is right on several streams: an operator waits for the operators before it on the list
   that use the bytes which it writes over. A wait that follows from others is not added. O(cells *
   tensors + uses * log), where the arena is cut into cells at all offsets and ends of tensors. */
enum status reuse_waits_add(const struct graph *graph, const struct placement *placement,
                            struct graph **waiting, struct error *error);

#endif
