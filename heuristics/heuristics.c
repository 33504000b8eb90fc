#include "heuristics/heuristics.h"

#include "heuristics/families.h"

static const struct heuristics_family *const families[] = {
    &heuristics_order_fit, &heuristics_skyline,      &heuristics_xla,
    &heuristics_framework, &heuristics_pools,        &heuristics_exclusive,
    &heuristics_idealloc,  &heuristics_order_search, &heuristics_ours,
};

enum { FAMILIES = sizeof families / sizeof *families };

uint32_t heuristics_count(void)
{
    uint32_t count = 0;
    for (int f = 0; f < FAMILIES; f++)
        count += families[f]->count;
    return count;
}

const struct planner *heuristics_at(uint32_t index)
{
    int f = 0;
    for (; index >= families[f]->count; f++)
        index -= families[f]->count;
    return &families[f]->row[index];
}
