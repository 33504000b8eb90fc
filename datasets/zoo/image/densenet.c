#include <stdio.h>

#include "datasets/zoo/zoo.h"

/* DenseNet of Huang et al., "Densely Connected Convolutional Networks" (2017), Table 1, growth rate
   32. Each layer joins what all layers of its block before it gave; normalisation comes before the
   convolution, so only the one between a layer's two convolutions can be folded. */

enum { GROWTH = 32, STAGES = 4, MOST_LAYERS = 64 };

struct densenet {
    uint32_t layers[STAGES];
};

static uint32_t add_layer(struct network *network, uint32_t stage, uint32_t number,
                          const uint32_t *before, uint32_t count)
{
    char name[32];
    uint32_t x = before[0];
    snprintf(name, sizeof name, "dense%u_%u_concat", stage + 1, number);
    if (count > 1)
        x = network_concat(network, name, before, count);
    snprintf(name, sizeof name, "dense%u_%u_norm", stage + 1, number);
    x = network_normalise(network, name, x, NETWORK_RELU);
    snprintf(name, sizeof name, "dense%u_%u_1x1", stage + 1, number);
    x = network_conv(network, name, x, network_filters(4 * GROWTH, network_same(1, 1)),
                     NETWORK_RELU);
    snprintf(name, sizeof name, "dense%u_%u_3x3", stage + 1, number);
    return network_conv_plain(network, name, x, network_filters(GROWTH, network_same(3, 1)));
}

static uint32_t add_stage(struct network *network, uint32_t stage, uint32_t layers, uint32_t x)
{
    char name[32];
    uint32_t before[MOST_LAYERS + 1];
    before[0] = x;
    for (uint32_t i = 0; i < layers; i++)
        before[i + 1] = add_layer(network, stage, i + 1, before, i + 1);
    snprintf(name, sizeof name, "dense%u", stage + 1);
    return network_concat(network, name, before, layers + 1);
}

static uint32_t add_transition(struct network *network, uint32_t stage, uint32_t x)
{
    char name[32];
    uint32_t channels = network_channels(network, x) / 2;
    snprintf(name, sizeof name, "transition%u_norm", stage + 1);
    x = network_normalise(network, name, x, NETWORK_RELU);
    snprintf(name, sizeof name, "transition%u_1x1", stage + 1);
    x = network_conv_plain(network, name, x, network_filters(channels, network_same(1, 1)));
    snprintf(name, sizeof name, "transition%u_pool", stage + 1);
    return network_average_pool(network, name, x, network_valid(2, 2));
}

static uint32_t build_densenet(struct network *network, const void *variant)
{
    const struct densenet *densenet = variant;
    uint32_t x = network_image(network, "image", 224, 224, 3);
    x = network_conv(network, "conv1", x, network_filters(2 * GROWTH, network_same(7, 2)),
                     NETWORK_RELU);
    x = network_max_pool(network, "pool1", x, network_same(3, 2));
    for (uint32_t stage = 0; stage < STAGES; stage++) {
        x = add_stage(network, stage, densenet->layers[stage], x);
        if (stage + 1 < STAGES)
            x = add_transition(network, stage, x);
    }
    x = network_normalise(network, "norm5", x, NETWORK_RELU);
    x = network_global_average_pool(network, "pool5", x);
    x = network_dense(network, "fc", x, 1000, NETWORK_LINEAR);
    return network_softmax(network, "softmax", x);
}

static const struct densenet densenet121 = {{6, 12, 24, 16}};

static const struct zoo_network rows[] = {
    {"zoo/densenet121", "DenseNet-121, 224 x 224 (Huang et al. 2017)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_densenet, &densenet121},
};
ZOO_DEFINE(densenet, rows);
