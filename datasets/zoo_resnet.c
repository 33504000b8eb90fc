#include <stdio.h>

#include "datasets/zoo.h"

/* ResNet-50 of He, Zhang, Ren and Sun, "Deep Residual Learning for Image Recognition" (2015), Table
   1. Version 1 as in the paper: a stage's first block halves the image in its first 1x1
   convolution. (torchvision's model, "v1.5", does so in the 3x3 and needs 4.1 G multiply-adds
   instead of 3.9 G.) */

static const struct stage {
    const char *name;
    uint32_t blocks, channels, stride;
} stages[] = {
    {"conv2", 3, 64, 1},
    {"conv3", 4, 128, 2},
    {"conv4", 6, 256, 2},
    {"conv5", 3, 512, 2},
};

static const char *name_layer(char name[32], const struct stage *stage, uint32_t block,
                              const char *layer)
{
    snprintf(name, 32, "%s_%u%s", stage->name, block + 1, layer);
    return name;
}

/* 1x1 down, 3x3, 1x1 up to four times the channels, plus the input. */
static uint32_t add_bottleneck(struct network *network, const struct stage *stage, uint32_t block,
                               uint32_t x)
{
    char name[32];
    uint32_t channels = stage->channels, stride = block ? 1 : stage->stride, shortcut = x;
    if (!block)
        shortcut = network_conv(network, name_layer(name, stage, block, "_shortcut"), x,
                                4 * channels, network_same(1, stride), NETWORK_LINEAR);
    x = network_conv(network, name_layer(name, stage, block, "_1x1a"), x, channels,
                     network_same(1, stride), NETWORK_RELU);
    x = network_conv(network, name_layer(name, stage, block, "_3x3"), x, channels,
                     network_same(3, 1), NETWORK_RELU);
    x = network_conv(network, name_layer(name, stage, block, "_1x1b"), x, 4 * channels,
                     network_same(1, 1), NETWORK_LINEAR);
    return network_add(network, name_layer(name, stage, block, "_add"), x, shortcut, NETWORK_RELU);
}

enum status zoo_resnet50(const char *name, const struct network_options *options,
                         struct graph **graph, struct error *error)
{
    struct network *network;
    TRY(network_create(name, options, &network, error));
    uint32_t x = network_input(network, "image", 224, 224, 3);
    x = network_conv(network, "conv1", x, 64, network_same(7, 2), NETWORK_RELU);
    x = network_max_pool(network, "pool1", x, network_same(3, 2));
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++)
        for (uint32_t block = 0; block < stages[s].blocks; block++)
            x = add_bottleneck(network, &stages[s], block, x);
    x = network_global_average_pool(network, "pool5", x);
    x = network_dense(network, "fc1000", x, 1000, NETWORK_LINEAR);
    x = network_softmax(network, "softmax", x);
    return network_finish(network, x, graph, error);
}
