#ifndef MEMPLAN_HEURISTICS_ORDER_FIT_NAIVE_H
#define MEMPLAN_HEURISTICS_ORDER_FIT_NAIVE_H

#include "planning/plan/planner.h"

/* No reuse: buffers end to end in their order, above the fixed ones. O(n). */
enum status naive_plan(const struct planner *planner, const struct planner_task *task,
                       struct plan *plan, struct error *error);

#endif
