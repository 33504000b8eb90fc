#include "results/views/roles.h"

#include <assert.h>
#include <string.h>

static const char *const provers[ROLES_PROVERS] = {"best", "exact", "window_search", "glpk", "cbc"};
static const char *const strategies[ROLES_STRATEGIES] = {"large_first", "short_first",
                                                         "sequential"};

static unsigned find_name(const char *const *list, unsigned count, const char *name)
{
    unsigned i = 0;
    while (i < count && strcmp(list[i], name) != 0)
        i++;
    return i;
}

bool roles_is_prover(const char *planner)
{
    return find_name(provers, ROLES_PROVERS, planner) < ROLES_PROVERS;
}

const char *roles_strategy(unsigned index)
{
    assert(index < ROLES_STRATEGIES);
    return strategies[index];
}

unsigned roles_find_strategy(const char *planner)
{
    return find_name(strategies, ROLES_STRATEGIES, planner);
}
