#include "results/views/roles.h"

#include <assert.h>
#include <string.h>

#include "core/rows.h"

static const char *const provers[ROLES_PROVERS] = {"best", "exact", "window_search", "glpk", "cbc"};
static const char *const strategies[ROLES_STRATEGIES] = {"large_first", "short_first",
                                                         "sequential"};

bool roles_is_prover(const char *planner)
{
    for (unsigned i = 0; i < ROLES_PROVERS; i++)
        if (strcmp(provers[i], planner) == 0)
            return true;
    return strncmp(planner, ROLES_PROGRAMS, strlen(ROLES_PROGRAMS)) == 0;
}

const char *roles_strategy(uint32_t index)
{
    assert(index < ROLES_STRATEGIES);
    return strategies[index];
}

uint32_t roles_find_strategy(const char *planner)
{
    return rows_find(planner, ROLES_STRATEGIES, roles_strategy);
}
