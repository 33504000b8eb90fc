#ifndef MEMPLAN_HEURISTICS_FRAMEWORK_MELON_H
#define MEMPLAN_HEURISTICS_FRAMEWORK_MELON_H

#include "planning/plan/planner.h"

/* The lifetime-first pool of Wang et al., "Melon: breaking the memory wall for resource-efficient
   on-device machine learning", MobiSys 2022, ExecutionPlanGenerator.cpp: longest life first, then
   largest, allocated first, freed first; each in the smallest gap in which it fits between the
   merged ranges of those that are live with it, the lowest of equals, else above the last range.

   The order is the intended one: the source's sort compares pointers. Without its recomputation.
   Fixed buffers are placed before all others. */

/* alignment: to which sizes are rounded up; Melon's is 64. */
extern const struct planner_option melon_options[];

enum status melon_plan(const struct planner *planner, const struct planner_task *task,
                       struct plan *plan, struct error *error);

#endif
