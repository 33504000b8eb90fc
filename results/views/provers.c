#include "results/views/provers.h"

#include <string.h>

static const char *const names[] = {"exact", "glpk", "cbc"};

unsigned provers_count(void)
{
    return sizeof names / sizeof *names;
}

const char *provers_name(unsigned index)
{
    return names[index];
}

bool provers_have(const char *planner)
{
    for (unsigned i = 0; i < provers_count(); i++)
        if (strcmp(names[i], planner) == 0)
            return true;
    return false;
}
