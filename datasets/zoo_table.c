#include "datasets/zoo_table.h"

#define ZOO_FAMILY(family) extern const struct zoo_family zoo_##family;
#include "datasets/zoo_families.def"
#undef ZOO_FAMILY

#define ZOO_FAMILY(family) &zoo_##family,
static const struct zoo_family *const families[] = {
#include "datasets/zoo_families.def"
};
#undef ZOO_FAMILY

enum { FAMILIES = sizeof families / sizeof *families };

uint32_t zoo_count(void)
{
    uint32_t count = 0;
    for (size_t i = 0; i < FAMILIES; i++)
        count += families[i]->networks;
    return count;
}

const struct zoo_network *zoo_at(uint32_t index)
{
    size_t i = 0;
    for (; index >= families[i]->networks; i++)
        index -= families[i]->networks;
    return &families[i]->network[index];
}
