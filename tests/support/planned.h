#ifndef MEMPLAN_TESTS_PLANNED_H
#define MEMPLAN_TESTS_PLANNED_H

#include "planning/plan/planner.h"

/* Planners under test; anything that fails ends the test case. */

/* The problem without limits, seed 1. */
struct planner_task planned_task(const struct problem *problem);

/* The planner's plan, for plan_free. */
struct plan *planned(const struct planner *planner, const struct planner_task *task);

/* Every allocation of the planner fails once, and nothing is left of any. */
void planned_fail_each(const struct planner *planner, const struct planner_task *task);

/* A plan of a problem without fixed buffers: one above the other, in their order. */
struct plan *planned_stack(const struct problem *problem);

/* By looking at every pair of segments. */
bool planned_is_valid(const struct problem *problem, const struct plan *plan);

/* No two fixed buffers collide, so that there is a plan at all. */
bool planned_can_be(const struct problem *problem);

#endif
