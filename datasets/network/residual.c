#include "datasets/network/residual.h"

#include <stdio.h>

static const uint32_t stage_channels[RESIDUAL_STAGES] = {64, 128, 256, 512};

static const char *name_layer(char name[32], uint32_t stage, uint32_t block, const char *layer)
{
    snprintf(name, 32, "conv%u_%u%s", stage + 2, block + 1, layer);
    return name;
}

static uint32_t find_stride(uint32_t stage, uint32_t block)
{
    return stage && !block ? 2 : 1;
}

uint32_t residual_stem(struct network *network)
{
    uint32_t x = network_image(network, "image", 224, 224, 3);
    x = network_conv(network, "conv1", x, 64, network_same(7, 2), NETWORK_RELU);
    return network_max_pool(network, "pool1", x, network_same(3, 2));
}

uint32_t residual_shortcut(struct network *network, const struct residual *residual, uint32_t stage,
                           uint32_t block, uint32_t x)
{
    char name[32];
    uint32_t channels = stage_channels[stage] * (residual->bottleneck ? 4 : 1);
    uint32_t stride = find_stride(stage, block);
    if (stride == 1 && network_channels(network, x) == channels)
        return x;
    return network_conv(network, name_layer(name, stage, block, "_shortcut"), x, channels,
                        network_same(1, stride), NETWORK_LINEAR);
}

static uint32_t add_bottleneck(struct network *network, const struct residual *residual,
                               uint32_t stage, uint32_t block, uint32_t x)
{
    char name[32];
    uint32_t channels = stage_channels[stage], stride = find_stride(stage, block);
    bool late = residual->late_stride;
    x = network_conv(network, name_layer(name, stage, block, "_1x1a"), x, channels,
                     network_same(1, late ? 1 : stride), NETWORK_RELU);
    x = network_conv(network, name_layer(name, stage, block, "_3x3"), x, channels,
                     network_same(3, late ? stride : 1), NETWORK_RELU);
    return network_conv(network, name_layer(name, stage, block, "_1x1b"), x, 4 * channels,
                        network_same(1, 1), NETWORK_LINEAR);
}

static uint32_t add_basic(struct network *network, uint32_t stage, uint32_t block, uint32_t x)
{
    char name[32];
    uint32_t channels = stage_channels[stage];
    x = network_conv(network, name_layer(name, stage, block, "_3x3a"), x, channels,
                     network_same(3, find_stride(stage, block)), NETWORK_RELU);
    return network_conv(network, name_layer(name, stage, block, "_3x3b"), x, channels,
                        network_same(3, 1), NETWORK_LINEAR);
}

uint32_t residual_convolutions(struct network *network, const struct residual *residual,
                               uint32_t stage, uint32_t block, uint32_t x, uint32_t shortcut)
{
    char name[32];
    x = residual->bottleneck ? add_bottleneck(network, residual, stage, block, x)
                             : add_basic(network, stage, block, x);
    return network_add(network, name_layer(name, stage, block, "_add"), x, shortcut, NETWORK_RELU);
}

uint32_t residual_block(struct network *network, const struct residual *residual, uint32_t stage,
                        uint32_t block, uint32_t x)
{
    uint32_t shortcut = residual_shortcut(network, residual, stage, block, x);
    return residual_convolutions(network, residual, stage, block, x, shortcut);
}
