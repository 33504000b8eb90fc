#ifndef MEMPLAN_SOLVERS_MIP_MIP_H
#define MEMPLAN_SOLVERS_MIP_MIP_H

#include "planning/plan/planner.h"
#include "solvers/mip/solver.h"

/* Plans exactly with the struct mip_solver to which planner->rule points: the problem is cut into
   components (solvers/common/components.h), each component is searched whose peak in the start is
   above the bound, and the buffers that wait are placed last. The plan is optimal only if its peak
   equals a proved bound, and unsupported if the build has no such solver. */
enum status mip_plan(const struct planner *planner, const struct planner_task *task,
                     struct plan *plan, struct error *error);

/* What the rows of all such planners have in common. To add one: a source file in backends/ that
   ends in its row, and its name in solvers/planners.def. */
#define MIP_PLANNER                                                                                \
    .family = "ilp", .source = "ours: docs/exact.md",                                              \
    .flags = PLANNER_EXACT | PLANNER_WANTS_START, .plan = mip_plan

#endif
