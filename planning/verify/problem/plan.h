#ifndef MEMPLAN_PLANNING_VERIFY_PROBLEM_PLAN_H
#define MEMPLAN_PLANNING_VERIFY_PROBLEM_PLAN_H

#include "planning/plan/plan.h"
#include "planning/verify/verdict.h"

/* Checks a plan against its problem with code that shares nothing with any planner. */

/* Sweep over the steps with the live windows kept in address order: O(s log s + s * live) for s
   segments, where live is the greatest number of segments live at once; a window in several extents
   counts once for each. For clocks alone see clocks.h. Fails only for lack of memory. */
enum status verify_plan(const struct problem *problem, const struct plan *plan,
                        struct verdict *verdict, struct error *error);

#endif
