#ifndef MEMPLAN_SOLVERS_GLPK_H
#define MEMPLAN_SOLVERS_GLPK_H

#include "planning/planner.h"

/* Exact planning with GLPK: the problem is reduced (reduction.h), each component that the start
   does not already bring below the bound is searched (glpk_search.h), and what waited is placed
   last. Says optimal only if the peak equals a proven bound. Built without GLPK it answers
   unsupported. */
enum status glpk_plan(const struct planner *planner, const struct planner_task *task,
                      struct plan *plan, struct error *error);

#endif
