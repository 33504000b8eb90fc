#include <stdio.h>

#include "datasets/network/layer.h"
#include "datasets/zoo/zoo.h"

/* MobileNetV3 of Howard et al., "Searching for MobileNetV3" (2019), Tables 1 and 2. Squeeze and
   excite work with a quarter of the expanded channels, rounded to a multiple of 8, as in
   torchvision. */

#define RE NETWORK_RELU
#define HS NETWORK_HARD_SWISH

struct bottleneck {
    uint32_t size, expanded, channels;
    bool excite;
    enum network_activation activation;
    uint32_t stride;
};

struct mobilenet_v3 {
    const struct bottleneck *bottleneck;
    uint32_t bottlenecks, features; /* of the dense layer before the last */
};

static const struct bottleneck large[] = {
    {3, 16, 16, false, RE, 1},  {3, 64, 24, false, RE, 2},  {3, 72, 24, false, RE, 1},
    {5, 72, 40, true, RE, 2},   {5, 120, 40, true, RE, 1},  {5, 120, 40, true, RE, 1},
    {3, 240, 80, false, HS, 2}, {3, 200, 80, false, HS, 1}, {3, 184, 80, false, HS, 1},
    {3, 184, 80, false, HS, 1}, {3, 480, 112, true, HS, 1}, {3, 672, 112, true, HS, 1},
    {5, 672, 160, true, HS, 2}, {5, 960, 160, true, HS, 1}, {5, 960, 160, true, HS, 1},
};

static const struct bottleneck small[] = {
    {3, 16, 16, true, RE, 2},  {3, 72, 24, false, RE, 2}, {3, 88, 24, false, RE, 1},
    {5, 96, 40, true, HS, 2},  {5, 240, 40, true, HS, 1}, {5, 240, 40, true, HS, 1},
    {5, 120, 48, true, HS, 1}, {5, 144, 48, true, HS, 1}, {5, 288, 96, true, HS, 2},
    {5, 576, 96, true, HS, 1}, {5, 576, 96, true, HS, 1},
};

static const char *name_layer(char name[32], uint32_t block, const char *layer)
{
    snprintf(name, 32, "block%u_%s", block, layer);
    return name;
}

/* To the nearest multiple of 8, but not below nine tenths. */
static uint32_t round_channels(uint32_t channels)
{
    uint32_t rounded = (channels + 4) / 8 * 8;
    if (rounded < 8)
        rounded = 8;
    return 10 * rounded < 9 * channels ? rounded + 8 : rounded;
}

static uint32_t add_bottleneck(struct network *network, uint32_t block,
                               const struct bottleneck *row, uint32_t input)
{
    char name[32];
    uint32_t x = input, input_channels = network_channels(network, input);
    if (row->expanded != input_channels)
        x = network_conv(network, name_layer(name, block, "expand"), x,
                         network_filters(row->expanded, network_same(1, 1)), row->activation);
    x = network_depthwise_conv(network, name_layer(name, block, "depthwise"), x,
                               network_same(row->size, row->stride), row->activation);
    if (row->excite)
        x = network_squeeze_excite(network, name_layer(name, block, "se"), x,
                                   (struct network_excitation){round_channels(row->expanded / 4),
                                                               NETWORK_RELU, NETWORK_HARD_SIGMOID});
    x = network_conv(network, name_layer(name, block, "project"), x,
                     network_filters(row->channels, network_same(1, 1)), NETWORK_LINEAR);
    if (row->stride != 1 || input_channels != row->channels)
        return x;
    return network_add(network, name_layer(name, block, "add"), x, input, NETWORK_LINEAR);
}

static uint32_t build_mobilenet_v3(struct network *network, const void *variant)
{
    const struct mobilenet_v3 *net = variant;
    uint32_t x = network_image(network, "image", 224, 224, 3);
    x = network_conv(network, "conv1", x, network_filters(16, network_same(3, 2)), HS);
    for (uint32_t i = 0; i < net->bottlenecks; i++)
        x = add_bottleneck(network, i + 1, &net->bottleneck[i], x);
    x = network_conv(network, "conv_last", x,
                     network_filters(6 * network_channels(network, x), network_same(1, 1)), HS);
    x = network_global_average_pool(network, "pool", x);
    x = network_dense(network, "fc1", x, net->features, HS);
    x = network_dense(network, "fc2", x, 1000, NETWORK_LINEAR);
    return network_softmax(network, "softmax", x);
}

static const struct mobilenet_v3 large_net = {large, sizeof large / sizeof *large, 1280};
static const struct mobilenet_v3 small_net = {small, sizeof small / sizeof *small, 1024};

static const struct zoo_network rows[] = {
    {"zoo/mobilenet_v3_large", "MobileNet v3 large, 224 x 224 (Howard et al. 2019)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_mobilenet_v3, &large_net},
    {"zoo/mobilenet_v3_small", "MobileNet v3 small, 224 x 224 (Howard et al. 2019)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_mobilenet_v3, &small_net},
};
ZOO_DEFINE(mobilenet_v3, rows);
