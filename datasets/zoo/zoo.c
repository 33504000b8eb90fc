#include "datasets/zoo/zoo.h"

enum status zoo_build(const struct zoo_network *zoo, const char *name,
                      const struct network_options *options, struct graph **graph,
                      struct error *error)
{
    struct network *network;
    TRY(network_create(name, options, &network, error));
    return network_finish(network, zoo->build(network, zoo->variant), graph, error);
}
