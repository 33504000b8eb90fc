#include "harness/catalogue/planners.h"

#include <assert.h>

#include "core/rows.h"
#include "heuristics/heuristics.h"
#include "solvers/solvers.h"

uint32_t planners_count(void)
{
    return heuristics_count() + solvers_count();
}

const struct planner *planners_at(uint32_t index)
{
    if (index < heuristics_count())
        return heuristics_at(index);
    assert(index < planners_count());
    return solvers_at(index - heuristics_count());
}

ROWS_DEFINE_FIND(planners, struct planner);
