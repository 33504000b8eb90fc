#include "datasets/zoo.h"

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

enum status zoo_build(const struct zoo_network *zoo, const char *name,
                      const struct network_options *options, struct graph **graph,
                      struct error *error)
{
    struct network *network;
    TRY(network_create(name, options, &network, error));
    return network_finish(network, zoo->build(network, zoo->variant), graph, error);
}
