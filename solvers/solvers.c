#include "solvers/solvers.h"

#include "core/rows.h"

#define SOLVERS_PLANNER(name) extern const struct planner planner_##name;
#include "solvers/planners.def"
#undef SOLVERS_PLANNER
#define MIP_FORMULATION(name) extern const struct planner planner_ilp_##name;
#include "solvers/mip/formulations/formulations.def"
#undef MIP_FORMULATION

#define SOLVERS_PLANNER(name) &planner_##name,
#define MIP_FORMULATION(name) &planner_ilp_##name,
static const struct planner *const solvers[] = {
#include "solvers/mip/formulations/formulations.def"
#include "solvers/planners.def"
};
#undef SOLVERS_PLANNER
#undef MIP_FORMULATION

ROWS_DEFINE_POINTERS(solvers, struct planner, solvers);

#define SOLVERS_ORDER(name) extern const struct order_row order_##name;
#include "solvers/orders.def"
#undef SOLVERS_ORDER

#define SOLVERS_ORDER(name) &order_##name,
static const struct order_row *const orders[] = {
#include "solvers/orders.def"
};
#undef SOLVERS_ORDER

ROWS_DEFINE_POINTERS(solvers_order, struct order_row, orders);
