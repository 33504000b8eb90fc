#ifndef MEMPLAN_PLANNING_POLICIES_REUSE_WAITS_H
#define MEMPLAN_PLANNING_POLICIES_REUSE_WAITS_H

#include "planning/plan/placement.h"

/* The graph of a placement that was made for its list as one line of time, so that it holds on
   several streams: who writes over what another operator uses, before it on the list, waits for
   that. Only what no other wait implies already is added. O(cells * tensors + uses * log), where
   the arena's bytes fall into cells at all offsets and ends. */
enum status reuse_waits_add(const struct graph *graph, const struct placement *placement,
                            struct graph **waiting, struct error *error);

#endif
