#ifndef MEMPLAN_HEURISTICS_POOLS_TFLITE_IN_ORDER_H
#define MEMPLAN_HEURISTICS_POOLS_TFLITE_IN_ORDER_H

#include "planning/plan/planner.h"

/* Shared objects of the TensorFlow Lite GPU delegate, in execution order (LiteRT
   delegates/gpu/common/memory_management). An object is free once its last reader has run. */

/* A free object of exactly the same size, the one freed last first. O(n log n). */
enum status objects_equality_plan(const struct planner *planner, const struct planner_task *task,
                                  struct plan *plan, struct error *error);

/* Any free object before a new one: the smallest that is large enough (first object of equals), or
   the largest that is not (last of equals), which grows, where its size is strictly closer.
   O(n log n). */
enum status objects_greedy_in_order_plan(const struct planner *planner,
                                         const struct planner_task *task, struct plan *plan,
                                         struct error *error);

#endif
