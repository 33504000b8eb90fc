#ifndef MEMPLAN_SOLVERS_MIP_MIP_H
#define MEMPLAN_SOLVERS_MIP_MIP_H

#include "planning/plan/planner.h"

/* Exact planning with the planner's mip_solver (its rule): the problem is reduced (reduction.h),
   each component that the start does not already bring below the bound is searched
   (solvers/mip/search.h), and what waited is placed last. Says optimal only if the peak equals a
   proven bound. Answers unsupported where the build has no such solver. */
enum status mip_plan(const struct planner *planner, const struct planner_task *task,
                     struct plan *plan, struct error *error);

#endif
