#include <stdio.h>

#include "datasets/zoo/zoo.h"

/* EfficientNet-B0 of Tan and Le, "EfficientNet: Rethinking Model Scaling for Convolutional Neural
   Networks" (2019), Table 1. Squeeze and excite work with a quarter of the block's input channels.
 */

static const struct stage {
    uint32_t expansion, size, channels, repeats, stride;
} stages[] = {
    {1, 3, 16, 1, 1},  {6, 3, 24, 2, 2},  {6, 5, 40, 2, 2},  {6, 3, 80, 3, 2},
    {6, 5, 112, 3, 1}, {6, 5, 192, 4, 2}, {6, 3, 320, 1, 1},
};

static const char *name_layer(char name[32], uint32_t block, const char *layer)
{
    snprintf(name, 32, "block%u_%s", block, layer);
    return name;
}

static uint32_t add_block(struct network *network, uint32_t block, const struct stage *row,
                          bool is_first, uint32_t input)
{
    char name[32];
    uint32_t x = input, input_channels = network_channels(network, input);
    if (row->expansion != 1)
        x = network_conv(network, name_layer(name, block, "expand"), x,
                         network_filters(row->expansion * input_channels, network_same(1, 1)),
                         NETWORK_SWISH);
    x = network_depthwise_conv(network, name_layer(name, block, "depthwise"), x,
                               network_same(row->size, is_first ? row->stride : 1), NETWORK_SWISH);
    x = network_squeeze_excite(
        network, name_layer(name, block, "se"), x,
        (struct network_excitation){input_channels / 4, NETWORK_SWISH, NETWORK_SIGMOID});
    x = network_conv(network, name_layer(name, block, "project"), x,
                     network_filters(row->channels, network_same(1, 1)), NETWORK_LINEAR);
    if (is_first)
        return x;
    return network_add(network, name_layer(name, block, "add"), x, input, NETWORK_LINEAR);
}

static uint32_t build_efficientnet(struct network *network, const void *variant)
{
    uint32_t block = 0;
    (void)variant;
    uint32_t x = network_image(network, "image", 224, 224, 3);
    x = network_conv(network, "conv1", x, network_filters(32, network_same(3, 2)), NETWORK_SWISH);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        for (uint32_t repeat = 0; repeat < stages[i].repeats; repeat++)
            x = add_block(network, ++block, &stages[i], !repeat, x);
    x = network_conv(network, "conv_last", x, network_filters(1280, network_same(1, 1)),
                     NETWORK_SWISH);
    x = network_global_average_pool(network, "pool", x);
    x = network_dense(network, "fc", x, 1000, NETWORK_LINEAR);
    return network_softmax(network, "softmax", x);
}

static const struct zoo_network rows[] = {
    {"zoo/efficientnet_b0", "EfficientNet-B0, 224 x 224 (Tan and Le 2019)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_efficientnet, NULL},
};
ZOO_DEFINE(efficientnet, rows);
