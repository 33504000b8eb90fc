#ifndef MEMPLAN_HEURISTICS_POOLS_EXECUTORCH_H
#define MEMPLAN_HEURISTICS_POOLS_EXECUTORCH_H

#include "planning/plan/planner.h"

/* ExecuTorch's greedy (exir/memory_planning.py): sizes rounded up to the alignment, largest first,
   of equals the one that comes last; each at the start of the first object none of whose buffers is
   live with it; else, where overlapping is allowed, in the first object that has room above the
   buffers that are; else in a new object of its size. Objects never grow.

   Departure: the order of equals is arbitrary there (a Python set). O(n (live log n + objects)). */
extern const struct planner_option executorch_options[];

enum status executorch_greedy_plan(const struct planner *planner, const struct planner_task *task,
                                   struct plan *plan, struct error *error);

#endif
