#ifndef MEMPLAN_SOLVERS_MIP_MIP_H
#define MEMPLAN_SOLVERS_MIP_MIP_H

#include "planning/plan/planner.h"
#include "solvers/mip/solver.h"

/* Exact planning with the planner's rule, a struct mip_solver: the problem falls into components
   (solvers/common/components.h), each that the start does not already bring below the bound is
   searched (solvers/mip/mip.c), and what waited is placed last. Says optimal only if the peak
   equals a proven bound. Answers unsupported where the build has no such solver. */
enum status mip_plan(const struct planner *planner, const struct planner_task *task,
                     struct plan *plan, struct error *error);

/* What the rows of all such planners have in common. To add one: a source file in backends/ that
   ends in its row, and its name in solvers/planners.def. */
#define MIP_PLANNER                                                                                \
    .family = "ilp", .source = "ours: docs/exact.md",                                              \
    .flags = PLANNER_EXACT | PLANNER_WANTS_START, .plan = mip_plan

#endif
