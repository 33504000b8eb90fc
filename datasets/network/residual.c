#include "datasets/network/residual.h"

#include <stdio.h>

static const uint32_t stage_channels[RESIDUAL_STAGES] = {64, 128, 256, 512};

static const char *name_layer(char name[32], struct residual_position at, const char *layer)
{
    snprintf(name, 32, "conv%u_%u%s", at.stage + 2, at.block + 1, layer);
    return name;
}

static uint32_t find_stride(struct residual_position at)
{
    return at.stage && !at.block ? 2 : 1;
}

uint32_t residual_stem(struct network *network)
{
    uint32_t x = network_image(network, "image", 224, 224, 3);
    x = network_conv(network, "conv1", x, network_filters(64, network_same(7, 2)), NETWORK_RELU);
    return network_max_pool(network, "pool1", x, network_same(3, 2));
}

uint32_t residual_shortcut(struct network *network, const struct residual *residual,
                           struct residual_position at, uint32_t x)
{
    char name[32];
    uint32_t channels = stage_channels[at.stage] * (residual->bottleneck ? 4 : 1);
    uint32_t stride = find_stride(at);
    if (stride == 1 && network_channels(network, x) == channels)
        return x;
    return network_conv(network, name_layer(name, at, "_shortcut"), x,
                        network_filters(channels, network_same(1, stride)), NETWORK_LINEAR);
}

static uint32_t add_bottleneck(struct network *network, const struct residual *residual,
                               struct residual_position at, uint32_t x)
{
    char name[32];
    uint32_t channels = stage_channels[at.stage], stride = find_stride(at);
    bool late = residual->late_stride;
    x = network_conv(network, name_layer(name, at, "_1x1a"), x,
                     network_filters(channels, network_same(1, late ? 1 : stride)), NETWORK_RELU);
    x = network_conv(network, name_layer(name, at, "_3x3"), x,
                     network_filters(channels, network_same(3, late ? stride : 1)), NETWORK_RELU);
    return network_conv(network, name_layer(name, at, "_1x1b"), x,
                        network_filters(4 * channels, network_same(1, 1)), NETWORK_LINEAR);
}

static uint32_t add_basic(struct network *network, struct residual_position at, uint32_t x)
{
    char name[32];
    uint32_t channels = stage_channels[at.stage];
    x = network_conv(network, name_layer(name, at, "_3x3a"), x,
                     network_filters(channels, network_same(3, find_stride(at))), NETWORK_RELU);
    return network_conv(network, name_layer(name, at, "_3x3b"), x,
                        network_filters(channels, network_same(3, 1)), NETWORK_LINEAR);
}

uint32_t residual_convolutions(struct network *network, const struct residual *residual,
                               struct residual_position at, uint32_t x, uint32_t shortcut)
{
    char name[32];
    x = residual->bottleneck ? add_bottleneck(network, residual, at, x) : add_basic(network, at, x);
    return network_add(network, name_layer(name, at, "_add"), x, shortcut, NETWORK_RELU);
}

uint32_t residual_block(struct network *network, const struct residual *residual,
                        struct residual_position at, uint32_t x)
{
    uint32_t shortcut = residual_shortcut(network, residual, at, x);
    return residual_convolutions(network, residual, at, x, shortcut);
}
