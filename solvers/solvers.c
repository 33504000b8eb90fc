#include "solvers/solvers.h"

#include <assert.h>

#define SOLVERS_PLANNER(name) extern const struct planner planner_##name;
#include "solvers/planners.def"
#undef SOLVERS_PLANNER

#define SOLVERS_PLANNER(name) &planner_##name,
static const struct planner *const solvers[] = {
#include "solvers/planners.def"
};
#undef SOLVERS_PLANNER

uint32_t solvers_count(void)
{
    return sizeof solvers / sizeof *solvers;
}

const struct planner *solvers_at(uint32_t index)
{
    assert(index < solvers_count());
    return solvers[index];
}
