#ifndef MEMPLAN_HEURISTICS_FRAMEWORK_SOMAS_H
#define MEMPLAN_HEURISTICS_FRAMEWORK_SOMAS_H

#include "planning/plan/planner.h"

/* The solver of mindspore-ai/mindspore, somas_solver_core.cc and somas_solver_alg.cc: several
   placements of the buffers, largest first; of the lowest peaks the last.

   "Shared objects": the arena is a chain of buckets, each as large as the first buffer put into it.
   A buffer goes into the first bucket where it finds a gap, else opens one on top. "Single object":
   one bucket without end. The gap is the best (smallest, then lowest) or the lowest one; the source
   gives this choice to the first bucket only, and every later one takes the best.

   debug=1 is the source's debug build: five more orders of equal sizes, by position and by number
   of conflicts, and two more gaps, the highest and the largest.

   Departures:
   - Sizes are not rounded to 512 bytes: buffers of a problem have the sizes that they are to have.
   - No contiguous blocks; conflicts are those of the problem; lifelong tensors are not set apart.
   - Fixed buffers are placed before all others, and buckets begin above them. */
extern const struct planner_option somas_options[];

/* 4 placements, 48 with debug=1. */
enum status somas_plan(const struct planner *planner, const struct planner_task *task,
                       struct plan *plan, struct error *error);

#endif
