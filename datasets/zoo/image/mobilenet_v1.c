#include <stdio.h>

#include "datasets/zoo/zoo.h"

/* MobileNet of Howard et al., "MobileNets: Efficient Convolutional Neural Networks for Mobile
   Vision Applications" (2017), Table 1, width 1.0; and PoseNet of Papandreou et al., "PersonLab"
   (2018), as tfjs-models and TensorFlow Lite ship it: MobileNet with the last halving replaced by
   dilation (output stride 16) and four 1x1 heads for 17 key points and 16 edges. */

static const struct {
    uint32_t stride, channels; /* of the depthwise 3x3, and out of the 1x1 after it */
} blocks[] = {
    {1, 64},  {2, 128}, {1, 128}, {2, 256}, {1, 256},  {2, 512},  {1, 512},
    {1, 512}, {1, 512}, {1, 512}, {1, 512}, {2, 1024}, {1, 1024},
};

enum { KEY_POINTS = 17, EDGES = 16, MOST_STRIDE = 16 };

static uint32_t add_block(struct network *network, uint32_t number, struct network_window window,
                          uint32_t channels, uint32_t x)
{
    char layer[32];
    snprintf(layer, sizeof layer, "dw%u", number);
    x = network_depthwise_conv(network, layer, x, window, NETWORK_RELU);
    snprintf(layer, sizeof layer, "pw%u", number);
    return network_conv(network, layer, x, network_filters(channels, network_same(1, 1)),
                        NETWORK_RELU);
}

/* Where the image would become smaller than 1 / most_stride, windows are dilated instead. */
static uint32_t add_blocks(struct network *network, uint32_t most_stride, uint32_t x)
{
    uint32_t stride = 2, dilation = 1;
    for (uint32_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        bool halves = blocks[i].stride == 2 && stride < most_stride;
        struct network_window window = halves ? network_same(3, 2) : network_dilated(3, dilation);
        x = add_block(network, i + 1, window, blocks[i].channels, x);
        if (halves)
            stride *= 2;
        else
            dilation *= blocks[i].stride;
    }
    return x;
}

static uint32_t build_mobilenet_v1(struct network *network, const void *variant)
{
    (void)variant;
    uint32_t x = network_image(network, "image", 224, 224, 3);
    x = network_conv(network, "conv1", x, network_filters(32, network_same(3, 2)), NETWORK_RELU);
    x = add_blocks(network, UINT32_MAX, x);
    x = network_global_average_pool(network, "pool", x);
    x = network_dense(network, "fc", x, 1000, NETWORK_LINEAR);
    return network_softmax(network, "softmax", x);
}

static uint32_t add_head(struct network *network, const char *name, uint32_t channels, uint32_t x)
{
    return network_conv_bias(network, name, x, network_filters(channels, network_same(1, 1)),
                             NETWORK_LINEAR);
}

static uint32_t build_posenet(struct network *network, const void *variant)
{
    (void)variant;
    uint32_t x = network_image(network, "image", 257, 353, 3);
    x = network_conv(network, "conv1", x, network_filters(32, network_same(3, 2)), NETWORK_RELU);
    x = add_blocks(network, MOST_STRIDE, x);
    network_output(network, add_head(network, "heatmap", KEY_POINTS, x));
    network_output(network, add_head(network, "offset", 2 * KEY_POINTS, x));
    network_output(network, add_head(network, "displacement_forward", 2 * EDGES, x));
    return add_head(network, "displacement_backward", 2 * EDGES, x);
}

static const struct zoo_network rows[] = {
    {"zoo/mobilenet_v1", "MobileNet v1, 224 x 224, float32 (Howard et al. 2017)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_mobilenet_v1, NULL},
    {"zoo/posenet", "PoseNet, MobileNet v1, 257 x 353 (Papandreou et al. 2018)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_posenet, NULL},
};
ZOO_DEFINE(mobilenet_v1, rows);
