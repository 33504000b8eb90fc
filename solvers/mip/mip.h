#ifndef MEMPLAN_SOLVERS_MIP_MIP_H
#define MEMPLAN_SOLVERS_MIP_MIP_H

#include "planning/plan/planner.h"
#include "solvers/mip/backends/solver.h"

/* Plans exactly by the struct mip_formulation to which planner->rule points, with the solver and
   the switches that its options say: the problem is cut into components
   (solvers/common/components.h), each component is searched whose peak in the start is above the
   bound, and the buffers that wait are placed last. The plan is optimal only if its peak equals a
   proved bound. Unsupported, with the reason, if the build has no such solver or the formulation
   refuses a component; crash, with the reason, if the solver ended without an answer. */
enum status mip_plan(const struct planner *planner, const struct planner_task *task,
                     struct plan *plan, struct error *error);
/* The same, but what is refused or crashes gets the start, beside the reason. */
enum status mip_plan_or_start(const struct planner *planner, const struct planner_task *task,
                              struct plan *plan, struct error *error);
const char *mip_version(const struct planner *planner);

/* The options of the planners, which differ in their initial values. */
extern const struct planner_option mip_options[], mip_options_as_published[], mip_options_of_cbc[];

extern const char *const mip_solver_names[];

/* What the rows of all such planners have in common. */
#define ILP_PLANNER_COMMON                                                                         \
    .family = "ilp", .flags = PLANNER_EXACT | PLANNER_WANTS_START, .version = mip_version,         \
    .words = mip_solver_names
#define ILP_PLANNER(formulation)                                                                   \
    ILP_PLANNER_COMMON, .name = "ilp_" #formulation, .rule = &mip_formulation_##formulation,       \
                        .plan = mip_plan

/* What glpk and cbc solve: of all formulations the one that proves most; and what the race has
   beside it. */
extern const struct mip_formulation mip_formulation_cliques, mip_formulation_benders,
    mip_formulation_positions;

#endif
