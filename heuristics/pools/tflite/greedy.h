#ifndef MEMPLAN_HEURISTICS_POOLS_TFLITE_GREEDY_H
#define MEMPLAN_HEURISTICS_POOLS_TFLITE_GREEDY_H

#include "planning/plan/planner.h"

/* Shared objects that are filled out of execution order (Pisarchyk and Lee, arXiv 2001.03288, and
   LiteRT delegates/gpu/common/memory_management). A buffer fits an object where none of its buffers
   is live at the same time. */

/* Largest buffer first, into the first object that it fits; all of them are large enough.
   O(n live log n). */
enum status objects_greedy_by_size_plan(const struct planner *planner,
                                        const struct planner_task *task, struct plan *plan,
                                        struct error *error);

/* Steps by the bytes live at them, most first, ties by step; of each the buffers that have no
   object, largest first, ties by position: into the smallest fitting object that is large enough,
   else into the largest fitting one, which grows; the first object of equals.
   O(n (live log n + objects)). */
enum status objects_greedy_by_breadth_plan(const struct planner *planner,
                                           const struct planner_task *task, struct plan *plan,
                                           struct error *error);

#endif
