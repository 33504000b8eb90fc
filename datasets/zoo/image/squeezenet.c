#include <stdio.h>

#include "datasets/zoo/zoo.h"

/* SqueezeNet 1.0 of Iandola et al., "SqueezeNet: AlexNet-level accuracy with 50x fewer parameters"
   (2016), Table 1, as torchvision builds it. */

static const struct {
    uint32_t squeeze, expand; /* channels of the 1x1; of the 1x1 and of the 3x3 after it */
    bool pooled;              /* halved after */
} fires[] = {
    {16, 64, false},  {16, 64, false},  {32, 128, true}, {32, 128, false},
    {48, 192, false}, {48, 192, false}, {64, 256, true}, {64, 256, false},
};

static uint32_t add_fire(struct network *network, uint32_t number, uint32_t squeeze,
                         uint32_t expand, uint32_t x)
{
    char name[32];
    uint32_t branch[2];
    snprintf(name, sizeof name, "fire%u_squeeze", number);
    x = network_conv_bias(network, name, x, network_filters(squeeze, network_same(1, 1)),
                          NETWORK_RELU);
    snprintf(name, sizeof name, "fire%u_1x1", number);
    branch[0] = network_conv_bias(network, name, x, network_filters(expand, network_same(1, 1)),
                                  NETWORK_RELU);
    snprintf(name, sizeof name, "fire%u_3x3", number);
    branch[1] = network_conv_bias(network, name, x, network_filters(expand, network_same(3, 1)),
                                  NETWORK_RELU);
    snprintf(name, sizeof name, "fire%u", number);
    return network_concat(network, name, branch, 2);
}

static uint32_t build_squeezenet(struct network *network, const void *variant)
{
    char name[32];
    (void)variant;
    uint32_t x = network_image(network, "image", 224, 224, 3);
    x = network_conv_bias(network, "conv1", x, network_filters(96, network_valid(7, 2)),
                          NETWORK_RELU);
    x = network_max_pool(network, "pool1", x, network_ceil(3, 2));
    for (uint32_t i = 0; i < sizeof fires / sizeof *fires; i++) {
        x = add_fire(network, i + 2, fires[i].squeeze, fires[i].expand, x);
        snprintf(name, sizeof name, "pool%u", i + 2);
        if (fires[i].pooled)
            x = network_max_pool(network, name, x, network_ceil(3, 2));
    }
    x = network_conv_bias(network, "conv10", x, network_filters(1000, network_same(1, 1)),
                          NETWORK_RELU);
    x = network_global_average_pool(network, "pool10", x);
    return network_softmax(network, "softmax", x);
}

static const struct zoo_network rows[] = {
    {"zoo/squeezenet", "SqueezeNet 1.0, 224 x 224 (Iandola et al. 2016)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_squeezenet, NULL},
};
ZOO_DEFINE(squeezenet, rows);
