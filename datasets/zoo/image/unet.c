#include <stdio.h>

#include "datasets/network/layer.h"
#include "datasets/zoo/zoo.h"

/* U-Net of Ronneberger, Fischer and Brox, "U-Net: Convolutional Networks for Biomedical Image
   Segmentation" (2015), Figure 1: windows without padding, so that what is carried over to the way
   up is cut to size. */

enum { LEVELS = 5, CHANNELS = 64, CLASSES = 2 };

static uint32_t add_pair(struct network *network, const char *way, uint32_t level, uint32_t x)
{
    char name[32];
    for (int i = 1; i <= 2; i++) {
        snprintf(name, sizeof name, "%s%u_conv%d", way, level, i);
        x = network_conv_bias(network, name, x,
                              network_filters((uint32_t)CHANNELS << level, network_valid(3, 1)),
                              NETWORK_RELU);
    }
    return x;
}

static uint32_t add_up(struct network *network, uint32_t level, uint32_t across, uint32_t x)
{
    char name[32];
    uint32_t sides[2];
    snprintf(name, sizeof name, "up%u", level);
    sides[1] = network_conv_transpose(network, name, x, (uint32_t)CHANNELS << level, 2);
    if (network->status)
        return 0;
    const uint64_t *shape = network_shape(network, sides[1]);
    snprintf(name, sizeof name, "up%u_crop", level);
    sides[0] = network_crop(network, name, across, (uint32_t)shape[1], (uint32_t)shape[2]);
    snprintf(name, sizeof name, "up%u_concat", level);
    x = network_concat(network, name, sides, 2);
    return add_pair(network, "up", level, x);
}

static uint32_t build_unet(struct network *network, const void *variant)
{
    char name[32];
    uint32_t across[LEVELS];
    (void)variant;
    uint32_t x = network_image(network, "image", 572, 572, 1);
    for (uint32_t level = 0; level < LEVELS; level++) {
        snprintf(name, sizeof name, "down%u_pool", level);
        if (level)
            x = network_max_pool(network, name, x, network_valid(2, 2));
        x = across[level] = add_pair(network, "down", level, x);
    }
    for (uint32_t level = LEVELS - 1; level-- > 0;)
        x = add_up(network, level, across[level], x);
    return network_conv_bias(network, "classes", x, network_filters(CLASSES, network_same(1, 1)),
                             NETWORK_LINEAR);
}

static const struct zoo_network rows[] = {
    {"zoo/unet", "U-Net, 572 x 572 (Ronneberger et al. 2015)", false, ZOO_IMAGE | ZOO_TRAINING,
     build_unet, NULL},
};
ZOO_DEFINE(unet, rows);
