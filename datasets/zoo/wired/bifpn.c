#include <stdio.h>

#include "datasets/network/layer.h"
#include "datasets/zoo/zoo.h"

/* The BiFPN of EfficientDet-D0 (Tan, Pang and Le 2020): features of five resolutions are mixed from
   coarse to fine and back, three times. Features of the backbone for a 512 x 512 image come in. */

enum { LEVELS = 5, FINEST = 3, CHANNELS = 64, REPEATS = 3, BACKBONE_LEVELS = 3 };

static uint32_t add_point(struct network *network, const char *name, uint32_t x)
{
    return network_conv(network, name, x, network_filters(CHANNELS, network_same(1, 1)),
                        NETWORK_LINEAR);
}

/* x in the resolution of `like`, which is one level finer or coarser. */
static uint32_t add_resampled(struct network *network, const char *name, uint32_t x, uint32_t like)
{
    if (network->status)
        return 0;
    const uint64_t *shape = network_shape(network, like);
    if (shape[1] > network_shape(network, x)[1])
        return network_resize(network, name, x, (uint32_t)shape[1], (uint32_t)shape[2]);
    return network_max_pool(network, name, x, network_same(3, 2));
}

/* A weighted sum, swish and a separable convolution. */
static uint32_t add_node(struct network *network, const char *name, const uint32_t *input,
                         uint32_t inputs)
{
    char layer[64];
    struct network_layer sum = {
        .name = name, .suffix = "_sum", .type = "Sum", .input = input, .inputs = inputs};
    uint32_t x = network_layer_add_like(network, &sum, input[0], 2 * inputs);
    snprintf(layer, sizeof layer, "%s_swish", name);
    x = network_activate(network, layer, x, NETWORK_SWISH);
    snprintf(layer, sizeof layer, "%s_depthwise", name);
    x = network_depthwise_conv(network, layer, x, network_same(3, 1), NETWORK_LINEAR);
    snprintf(layer, sizeof layer, "%s_pointwise", name);
    return add_point(network, layer, x);
}

/* level: P3 to P7; the way back reads `kept`, which the first time has convolutions of its own. */
static void add_layer(struct network *network, const char *layer, uint32_t level[LEVELS],
                      const uint32_t kept[LEVELS])
{
    char name[40], resampled[56];
    uint32_t down[LEVELS], input[3];
    down[LEVELS - 1] = level[LEVELS - 1];
    for (uint32_t i = LEVELS - 1; i-- > 0;) {
        snprintf(name, sizeof name, "%s_down%u", layer, FINEST + i);
        snprintf(resampled, sizeof resampled, "%s_resize", name);
        input[0] = level[i];
        input[1] = add_resampled(network, resampled, down[i + 1], level[i]);
        down[i] = add_node(network, name, input, 2);
    }
    level[0] = down[0];
    for (uint32_t i = 1; i < LEVELS; i++) {
        bool last = i + 1 == LEVELS;
        snprintf(name, sizeof name, "%s_up%u", layer, FINEST + i);
        snprintf(resampled, sizeof resampled, "%s_pool", name);
        input[0] = kept[i];
        input[1] = last ? 0 : down[i];
        input[last ? 1 : 2] = add_resampled(network, resampled, level[i - 1], kept[i]);
        level[i] = add_node(network, name, input, last ? 2 : 3);
    }
}

static uint32_t build_bifpn(struct network *network, const void *variant)
{
    static const uint32_t channels[BACKBONE_LEVELS] = {40, 112, 320};
    char name[24];
    uint32_t feature[BACKBONE_LEVELS], level[LEVELS], kept[LEVELS];
    (void)variant;
    for (uint32_t i = 0; i < BACKBONE_LEVELS; i++) {
        snprintf(name, sizeof name, "feature%u", FINEST + i);
        feature[i] = network_input(network, name, 64u >> i, 64u >> i, channels[i]);
    }
    for (uint32_t i = 0; i < BACKBONE_LEVELS; i++) {
        snprintf(name, sizeof name, "lateral%u", FINEST + i);
        level[i] = kept[i] = add_point(network, name, feature[i]);
        snprintf(name, sizeof name, "lateral%u_kept", FINEST + i);
        if (i > 0)
            kept[i] = add_point(network, name, feature[i]);
    }
    uint32_t x = add_point(network, "lateral6", feature[BACKBONE_LEVELS - 1]);
    level[3] = kept[3] = network_max_pool(network, "level6", x, network_same(3, 2));
    level[4] = kept[4] = network_max_pool(network, "level7", level[3], network_same(3, 2));
    for (uint32_t i = 0; i < REPEATS; i++) {
        snprintf(name, sizeof name, "layer%u", i + 1);
        add_layer(network, name, level,
                  i == 0
                      ? kept
                      : (const uint32_t[LEVELS]){level[0], level[1], level[2], level[3], level[4]});
    }
    for (uint32_t i = 0; i + 1 < LEVELS; i++)
        network_output(network, level[i]);
    return level[LEVELS - 1];
}

static const struct zoo_network rows[] = {
    {"wired/bifpn_d0", "BiFPN of EfficientDet-D0, 512 x 512 (Tan et al. 2020)", false, 0,
     build_bifpn, NULL},
};
ZOO_DEFINE(bifpn, rows);
