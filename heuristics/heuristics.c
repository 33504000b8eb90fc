#include "heuristics/heuristics.h"

#include "heuristics/common/family.h"

#define HEURISTICS_FAMILY(family) extern const struct heuristics_family heuristics_##family;
#include "heuristics/families.def"
#undef HEURISTICS_FAMILY

#define HEURISTICS_FAMILY(family) &heuristics_##family,
static const struct heuristics_family *const families[] = {
#include "heuristics/families.def"
};
#undef HEURISTICS_FAMILY

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
