#include "solvers/solvers.h"

#include "core/rows.h"

#define SOLVERS_PLANNER(name) extern const struct planner planner_##name;
#include "solvers/planners.def"
#undef SOLVERS_PLANNER

#define SOLVERS_PLANNER(name) &planner_##name,
static const struct planner *const solvers[] = {
#include "solvers/planners.def"
};
#undef SOLVERS_PLANNER

ROWS_DEFINE_POINTERS(solvers, struct planner, solvers);
