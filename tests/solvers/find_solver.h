#ifndef MEMPLAN_TESTS_FIND_SOLVER_H
#define MEMPLAN_TESTS_FIND_SOLVER_H

#include <stdlib.h>
#include <string.h>

#include "solvers/solvers.h"

/* The exact planner of this name, which is one of solvers/planners.def. */
static inline const struct planner *find_solver(const char *name)
{
    for (uint32_t i = 0; i < solvers_count(); i++)
        if (strcmp(solvers_at(i)->name, name) == 0)
            return solvers_at(i);
    abort();
}

#endif
