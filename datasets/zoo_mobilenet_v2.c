#include <stdio.h>

#include "datasets/zoo.h"

/* MobileNetV2 of Sandler et al., "MobileNetV2: Inverted Residuals and Linear Bottlenecks" (2018),
   Table 2, width 1.0. */

static const struct bottleneck {
    uint32_t expansion, channels, repeats, stride; /* t, c, n, s of the paper */
} bottlenecks[] = {
    {1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2},  {6, 64, 4, 2},
    {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1},
};

static const char *name_layer(char name[32], uint32_t block, const char *layer)
{
    snprintf(name, 32, "block%u_%s", block, layer);
    return name;
}

/* 1x1 up, depthwise 3x3, linear 1x1 down; plus the input where the shapes are equal. */
static uint32_t add_bottleneck(struct network *network, uint32_t block, uint32_t input_channels,
                               const struct bottleneck *row, uint32_t stride, uint32_t input)
{
    char name[32];
    uint32_t x = input;
    if (row->expansion != 1)
        x = network_conv(network, name_layer(name, block, "expand"), x,
                         row->expansion * input_channels, network_same(1, 1), NETWORK_RELU6);
    x = network_depthwise_conv(network, name_layer(name, block, "depthwise"), x,
                               network_same(3, stride), NETWORK_RELU6);
    x = network_conv(network, name_layer(name, block, "project"), x, row->channels,
                     network_same(1, 1), NETWORK_LINEAR);
    if (stride != 1 || input_channels != row->channels)
        return x;
    return network_add(network, name_layer(name, block, "add"), x, input, NETWORK_LINEAR);
}

enum status zoo_mobilenet_v2(const char *name, const struct network_options *options,
                             struct graph **graph, struct error *error)
{
    struct network *network;
    uint32_t block = 0, channels = 32;
    TRY(network_create(name, options, &network, error));
    uint32_t x = network_input(network, "image", 224, 224, 3);
    x = network_conv(network, "conv1", x, channels, network_same(3, 2), NETWORK_RELU6);
    for (size_t i = 0; i < sizeof bottlenecks / sizeof *bottlenecks; i++)
        for (uint32_t repeat = 0; repeat < bottlenecks[i].repeats; repeat++) {
            uint32_t stride = repeat ? 1 : bottlenecks[i].stride;
            x = add_bottleneck(network, ++block, channels, &bottlenecks[i], stride, x);
            channels = bottlenecks[i].channels;
        }
    x = network_conv(network, "conv_last", x, 1280, network_same(1, 1), NETWORK_RELU6);
    x = network_global_average_pool(network, "pool", x);
    x = network_dense(network, "fc", x, 1000, NETWORK_LINEAR);
    x = network_softmax(network, "softmax", x);
    return network_finish(network, x, graph, error);
}
