#include <stdio.h>

#include "datasets/zoo/zoo.h"

/* VGG of Simonyan and Zisserman, "Very Deep Convolutional Networks for Large-Scale Image
   Recognition" (2014), Table 1, columns A, D and E. */

struct vgg {
    uint32_t convolutions[5]; /* 3x3, in each stage */
};

static const uint32_t channels[5] = {64, 128, 256, 512, 512};

static uint32_t add_stage(struct network *network, const struct vgg *vgg, uint32_t stage,
                          uint32_t x)
{
    char name[32];
    for (uint32_t i = 0; i < vgg->convolutions[stage]; i++) {
        snprintf(name, sizeof name, "conv%u_%u", stage + 1, i + 1);
        x = network_conv_bias(network, name, x,
                              network_filters(channels[stage], network_same(3, 1)), NETWORK_RELU);
    }
    snprintf(name, sizeof name, "pool%u", stage + 1);
    return network_max_pool(network, name, x, network_valid(2, 2));
}

static uint32_t build_vgg(struct network *network, const void *variant)
{
    uint32_t x = network_image(network, "image", 224, 224, 3);
    for (uint32_t stage = 0; stage < 5; stage++)
        x = add_stage(network, variant, stage, x);
    x = network_dense(network, "fc6", x, 4096, NETWORK_RELU);
    x = network_dense(network, "fc7", x, 4096, NETWORK_RELU);
    x = network_dense(network, "fc8", x, 1000, NETWORK_LINEAR);
    return network_softmax(network, "softmax", x);
}

static const struct vgg vgg11 = {{1, 1, 2, 2, 2}}, vgg16 = {{2, 2, 3, 3, 3}},
                        vgg19 = {{2, 2, 4, 4, 4}};

static const struct zoo_network rows[] = {
    {"zoo/vgg16", "VGG-16, 224 x 224 (Simonyan and Zisserman 2014)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_vgg, &vgg16},
    {"zoo/vgg19", "VGG-19, 224 x 224 (Simonyan and Zisserman 2014)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_vgg, &vgg19},
    {"wired/vgg11", "VGG-11, 224 x 224 (Simonyan and Zisserman 2014)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_vgg, &vgg11},
};
ZOO_DEFINE(vgg, rows);
