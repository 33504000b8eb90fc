#include "solvers/mip/mip.h"

/* The formulation that proves most, as planners that have the names of their solvers. For a problem
   that is too large for it, the starting plan is the answer. */

const struct planner planner_glpk = {
    ILP_PLANNER_COMMON,
    .name = "glpk",
    .title = "the strongest integer program, solved by GLPK",
    .source = "ours: docs/integer-programs.md",
    .rule = &mip_formulation_cliques,
    .options = mip_options,
    .plan = mip_plan_or_start,
};

const struct planner planner_cbc = {
    ILP_PLANNER_COMMON,
    .name = "cbc",
    .title = "the same integer program, solved by CBC",
    .source = "ours: docs/integer-programs.md",
    .rule = &mip_formulation_cliques,
    .options = mip_options_of_cbc,
    .plan = mip_plan_or_start,
};
