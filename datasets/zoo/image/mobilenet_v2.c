#include <stdio.h>

#include "datasets/network/layer.h"
#include "datasets/zoo/zoo.h"

/* MobileNetV2 of Sandler et al., "MobileNetV2: Inverted Residuals and Linear Bottlenecks" (2018),
   Table 2, width 1.0; and DeepLab v3 on it as in the same paper's Table 7 (output stride 16, no
   ASPP: image pooling beside one 1x1), as TensorFlow Lite ships it at 257 x 257. */

static const struct bottleneck {
    uint32_t expansion, channels, repeats, stride; /* t, c, n, s of the paper */
} bottlenecks[] = {
    {1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2},  {6, 64, 4, 2},
    {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1},
};

enum { CLASSES = 21, MOST_STRIDE = 16 };

static const char *name_layer(char name[32], uint32_t block, const char *layer)
{
    snprintf(name, 32, "block%u_%s", block, layer);
    return name;
}

/* 1x1 up, depthwise 3x3, linear 1x1 down. */
static uint32_t add_bottleneck(struct network *network, uint32_t block,
                               const struct bottleneck *row, struct network_window window,
                               uint32_t x)
{
    char name[32];
    uint32_t input_channels = network_channels(network, x);
    if (row->expansion != 1)
        x = network_conv(network, name_layer(name, block, "expand"), x,
                         network_filters(row->expansion * input_channels, network_same(1, 1)),
                         NETWORK_RELU6);
    x = network_depthwise_conv(network, name_layer(name, block, "depthwise"), x, window,
                               NETWORK_RELU6);
    return network_conv(network, name_layer(name, block, "project"), x,
                        network_filters(row->channels, network_same(1, 1)), NETWORK_LINEAR);
}

/* Where the image would become smaller than 1 / most_stride, later windows are dilated instead. A
   repeated bottleneck keeps the shape, and its input is added. */
static uint32_t add_bottlenecks(struct network *network, uint32_t most_stride, uint32_t x)
{
    char name[32];
    uint32_t block = 0, stride = 2, dilation = 1;
    for (size_t i = 0; i < sizeof bottlenecks / sizeof *bottlenecks; i++)
        for (uint32_t repeat = 0; repeat < bottlenecks[i].repeats; repeat++) {
            uint32_t wanted = repeat ? 1 : bottlenecks[i].stride;
            bool halves = wanted == 2 && stride < most_stride;
            uint32_t input = x;
            x = add_bottleneck(network, ++block, &bottlenecks[i],
                               halves ? network_same(3, 2) : network_dilated(3, dilation), x);
            if (repeat)
                x = network_add(network, name_layer(name, block, "add"), x, input, NETWORK_LINEAR);
            stride *= halves ? 2 : 1;
            dilation *= halves ? 1 : wanted;
        }
    return x;
}

static uint32_t build_mobilenet_v2(struct network *network, const void *variant)
{
    (void)variant;
    uint32_t x = network_image(network, "image", 224, 224, 3);
    x = network_conv(network, "conv1", x, network_filters(32, network_same(3, 2)), NETWORK_RELU6);
    x = add_bottlenecks(network, UINT32_MAX, x);
    x = network_conv(network, "conv_last", x, network_filters(1280, network_same(1, 1)),
                     NETWORK_RELU6);
    x = network_global_average_pool(network, "pool", x);
    x = network_dense(network, "fc", x, 1000, NETWORK_LINEAR);
    return network_softmax(network, "softmax", x);
}

static uint32_t resize_like(struct network *network, const char *name, uint32_t x, uint32_t like)
{
    if (network->status)
        return 0;
    const uint64_t *shape = network_shape(network, like);
    return network_resize(network, name, x, (uint32_t)shape[1], (uint32_t)shape[2]);
}

static uint32_t build_deeplab_v3(struct network *network, const void *variant)
{
    uint32_t branch[2];
    (void)variant;
    uint32_t image = network_image(network, "image", 257, 257, 3);
    uint32_t x = network_conv(network, "conv1", image, network_filters(32, network_same(3, 2)),
                              NETWORK_RELU6);
    x = add_bottlenecks(network, MOST_STRIDE, x);
    branch[0] = network_squeeze(network, "image_pool", x);
    branch[0] = network_conv(network, "image_1x1", branch[0],
                             network_filters(256, network_same(1, 1)), NETWORK_RELU);
    branch[0] = resize_like(network, "image_resize", branch[0], x);
    branch[1] =
        network_conv(network, "aspp0", x, network_filters(256, network_same(1, 1)), NETWORK_RELU);
    x = network_concat(network, "concat", branch, 2);
    x = network_conv(network, "project", x, network_filters(256, network_same(1, 1)), NETWORK_RELU);
    x = network_conv_bias(network, "logits", x, network_filters(CLASSES, network_same(1, 1)),
                          NETWORK_LINEAR);
    return resize_like(network, "resize", x, image);
}

static const struct zoo_network rows[] = {
    {"zoo/mobilenet_v2", "MobileNet v2, 224 x 224, float32 (Sandler et al. 2018)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_mobilenet_v2, NULL},
    {"zoo/deeplab_v3", "DeepLab v3, MobileNet v2, 257 x 257 (Sandler et al. 2018)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_deeplab_v3, NULL},
};
ZOO_DEFINE(mobilenet_v2, rows);
