#include <stdio.h>

#include "datasets/zoo.h"

/* MobileNet of Howard et al., "MobileNets: Efficient Convolutional Neural Networks for Mobile
   Vision Applications" (2017), Table 1, width 1.0. */

static const struct {
    uint32_t stride, channels; /* of the depthwise 3x3, and out of the 1x1 after it */
} blocks[] = {
    {1, 64},  {2, 128}, {1, 128}, {2, 256}, {1, 256},  {2, 512},  {1, 512},
    {1, 512}, {1, 512}, {1, 512}, {1, 512}, {2, 1024}, {1, 1024},
};

enum status zoo_mobilenet_v1(const char *name, const struct network_options *options,
                             struct graph **graph, struct error *error)
{
    struct network *network;
    char layer[32];
    TRY(network_create(name, options, &network, error));
    uint32_t x = network_input(network, "image", 224, 224, 3);
    x = network_conv(network, "conv1", x, 32, network_same(3, 2), NETWORK_RELU);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        snprintf(layer, sizeof layer, "dw%zu", i + 1);
        x = network_depthwise_conv(network, layer, x, network_same(3, blocks[i].stride),
                                   NETWORK_RELU);
        snprintf(layer, sizeof layer, "pw%zu", i + 1);
        x = network_conv(network, layer, x, blocks[i].channels, network_same(1, 1), NETWORK_RELU);
    }
    x = network_global_average_pool(network, "pool", x);
    x = network_dense(network, "fc", x, 1000, NETWORK_LINEAR);
    x = network_softmax(network, "softmax", x);
    return network_finish(network, x, graph, error);
}
