#include "solvers/solvers.h"

#include "solvers/exact/exact.h"
#include "solvers/mip/mip.h"
#include "solvers/mip/solver.h"

#define MIP_SOURCE "Wang et al. 2025 name the problem; strong form: docs/exact.md"

/* To add a solver: its file and a row here. Names are unique across all planners. */
static const struct planner solvers[] = {
    {.name = "exact",
     .family = "search",
     .title = "our own search for plans and proofs, from the bottom up",
     .source = "memplan: solvers/README.md, after Moffitt, MiniMalloc, ASPLOS 2023",
     .flags = PLANNER_EXACT | PLANNER_SEARCHES,
     .options = exact_options,
     .helper = "portfolio",
     .plan = exact_plan},
    {.name = "glpk",
     .family = "ilp",
     .title = "integer program with clique rows, solved by GLPK",
     .source = MIP_SOURCE,
     .flags = PLANNER_EXACT | PLANNER_WANTS_START,
     .rule = &glpk_solver,
     .plan = mip_plan},
    {.name = "cbc",
     .family = "ilp",
     .title = "the same integer program, solved by CBC",
     .source = MIP_SOURCE,
     .flags = PLANNER_EXACT | PLANNER_WANTS_START,
     .rule = &cbc_solver,
     .plan = mip_plan},
};

uint32_t solvers_count(void)
{
    return sizeof solvers / sizeof *solvers;
}

const struct planner *solvers_at(uint32_t index)
{
    return &solvers[index];
}
