#ifndef MEMPLAN_HEURISTICS_POOLS_TFLITE_MIN_COST_FLOW_H
#define MEMPLAN_HEURISTICS_POOLS_TFLITE_MIN_COST_FLOW_H

#include "planning/plan/planner.h"

/* Shared objects by minimum cost flow (Pisarchyk and Lee, arXiv 2001.03288; LiteRT
   min_cost_flow_assignment.cc): every buffer takes over the object of at most one buffer that ended
   before it begins, which costs by how much it is larger than that buffer, or a new object, which
   costs its size. The chains of the cheapest choice are the objects.

   Departure: the flow is found as an assignment (Hungarian method, rows in order of the first
   step), not by shortest path augmentation of the whole network. The cost is the same least one;
   among choices of equal cost another may come out. O(n^3) worst time, O(n) memory, the pairs are
   never stored; PLAN_UNSUPPORTED above OBJECTS_FLOW_MOST_BUFFERS, PLAN_TIMEOUT at the time limit.
 */
enum { OBJECTS_FLOW_MOST_BUFFERS = 4096 };

enum status objects_min_cost_flow_plan(const struct planner *planner,
                                       const struct planner_task *task, struct plan *plan,
                                       struct error *error);

#endif
