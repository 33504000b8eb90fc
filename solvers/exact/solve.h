#ifndef MEMPLAN_SOLVERS_EXACT_SOLVE_H
#define MEMPLAN_SOLVERS_EXACT_SOLVE_H

#include "planning/plan/planner.h"
#include "solvers/exact/component.h"

/* Plans the task with searches of its parts, and what else finds plans: the start, quick rules, the
   helper. Sets the plan's offsets, status and bound, and adds to plan->search, which the caller
   created, what was counted and how the interval closed. Time and memory are limited. */
enum status exact_solve(const struct planner_task *task,
                        const struct exact_component_options *options, struct plan *plan,
                        struct error *error);

#endif
