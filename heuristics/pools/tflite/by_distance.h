#ifndef MEMPLAN_HEURISTICS_POOLS_TFLITE_BY_DISTANCE_H
#define MEMPLAN_HEURISTICS_POOLS_TFLITE_BY_DISTANCE_H

#include "planning/plan/planner.h"

/* Greedy by size improved (Pisarchyk and Lee, arXiv 2001.03288; LiteRT
   greedy_by_size_assignment.cc, SizeDistPriority). The k-th positional maximum is the greatest k-th
   largest size of what is live at any step: what the k-th object needs at least. A buffer's
   position is the last maximum that is not below its size. Next comes the buffer with the first
   position, of these the one whose life is nearest to that of a buffer in an object it fits, then
   the largest, then the first by position in the problem; it goes to that nearest object, which
   grows, or to a new one.

   Of equally near objects the one stays the nearest that became so first, and after the nearest is
   lost the lowest numbered is taken, as in the code (its comment says the largest).
   O(n^2 objects log n) at worst; only those are looked at whose nearest object may change. O(n)
   memory. PLAN_TIMEOUT at the time limit. */
enum status objects_by_distance_plan(const struct planner *planner, const struct planner_task *task,
                                     struct plan *plan, struct error *error);

#endif
