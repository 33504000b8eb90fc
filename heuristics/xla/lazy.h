#ifndef MEMPLAN_HEURISTICS_XLA_LAZY_H
#define MEMPLAN_HEURISTICS_XLA_LAZY_H

#include "planning/plan/planner.h"

/* LazyBestFitHeap of tensorflow/compiler/xla/service/heap_simulator.cc, inside the
   DecreasingSizeRunsHeap that it is used with there.

   Events come as an allocator sees them (events.h); of a run of allocations without a free between
   them, and of a run of frees, the largest goes first. An allocation takes the smallest free chunk
   in which it fits once aligned; else the chunk at the end of the heap, which grows; else the
   buffer gets no offset until it is freed, and then a new one at the end of the heap.

   Departure: with fixed buffers the heap begins above them. */

/* O(n log n) and the number of free chunks for each event. */
enum status xla_lazy_plan(const struct planner *planner, const struct planner_task *task,
                          struct plan *plan, struct error *error);

#endif
