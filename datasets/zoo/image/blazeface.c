#include <stdio.h>

#include "datasets/network/layer.h"
#include "datasets/zoo/zoo.h"

/* BlazeFace of Bazarevsky et al., "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs"
   (2019), Table 4 and Section 3, with the heads of the published front-camera model: 2 anchors at
   16 x 16 and 6 at 8 x 8, each a score, a box and 6 key points. */

static const struct block {
    uint32_t stride, narrow,
        channels; /* narrow: channels between the halves of a double block, 0 for a single block */
} blocks[] = {
    {1, 0, 24},  {1, 0, 24},  {2, 0, 48},  {1, 0, 48},  {1, 0, 48},  {2, 24, 96},
    {1, 24, 96}, {1, 24, 96}, {2, 24, 96}, {1, 24, 96}, {1, 24, 96},
};

enum { COORDINATES = 16, COARSE_FROM = 8 };

static const char *name_layer(char name[32], uint32_t block, const char *layer)
{
    snprintf(name, 32, "block%u_%s", block, layer);
    return name;
}

/* The input in the output's shape: pooled, and zeros for channels that it lacks. */
static uint32_t add_shortcut(struct network *network, uint32_t block, const struct block *row,
                             uint32_t x)
{
    char name[32];
    if (row->stride == 2)
        x = network_max_pool(network, name_layer(name, block, "pool"), x, network_same(2, 2));
    if (network->status || network_channels(network, x) == row->channels)
        return x;
    struct network_layer pad = {
        .name = name_layer(name, block, "pad"), .type = "Pad", .input = &x, .inputs = 1};
    network_layer_shape_like(network, &pad, x);
    pad.dimension[3] = row->channels;
    return network_layer_add(network, &pad);
}

static uint32_t add_block(struct network *network, uint32_t block, const struct block *row,
                          uint32_t input)
{
    char name[32];
    uint32_t shortcut = add_shortcut(network, block, row, input);
    uint32_t x = network_depthwise_conv(network, name_layer(name, block, "depthwise"), input,
                                        network_same(5, row->stride), NETWORK_LINEAR);
    if (row->narrow) {
        x = network_conv(network, name_layer(name, block, "narrow"), x,
                         network_filters(row->narrow, network_same(1, 1)), NETWORK_RELU);
        x = network_depthwise_conv(network, name_layer(name, block, "depthwise2"), x,
                                   network_same(5, 1), NETWORK_LINEAR);
    }
    x = network_conv(network, name_layer(name, block, "project"), x,
                     network_filters(row->channels, network_same(1, 1)), NETWORK_LINEAR);
    return network_add(network, name_layer(name, block, "add"), x, shortcut, NETWORK_RELU);
}

/* Per anchor `values` numbers, as a list [batch, anchors, values]. */
static uint32_t add_head(struct network *network, const char *name, uint32_t anchors,
                         uint32_t values, uint32_t x)
{
    char reshaped[32];
    snprintf(reshaped, sizeof reshaped, "%s_list", name);
    x = network_conv_bias(network, name, x, network_filters(anchors * values, network_same(1, 1)),
                          NETWORK_LINEAR);
    if (network->status)
        return 0;
    uint64_t batch = network_batch(network);
    const uint64_t list[] = {batch, network_elements(network, x) / batch / values, values};
    return network_reshape(network, reshaped, x, list, 3);
}

static uint32_t build_blazeface(struct network *network, const void *variant)
{
    uint32_t fine = 0, scores[2], boxes[2];
    (void)variant;
    uint32_t x = network_image(network, "image", 128, 128, 3);
    x = network_conv(network, "conv1", x, network_filters(24, network_same(5, 2)), NETWORK_RELU);
    for (uint32_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        fine = i == COARSE_FROM ? x : fine;
        x = add_block(network, i + 1, &blocks[i], x);
    }
    scores[0] = add_head(network, "score_fine", 2, 1, fine);
    scores[1] = add_head(network, "score_coarse", 6, 1, x);
    boxes[0] = add_head(network, "box_fine", 2, COORDINATES, fine);
    boxes[1] = add_head(network, "box_coarse", 6, COORDINATES, x);
    network_output(network, network_rows(network, "scores", scores, 2));
    return network_rows(network, "boxes", boxes, 2);
}

static const struct zoo_network rows[] = {
    {"zoo/blazeface", "BlazeFace, front camera, 128 x 128 (Bazarevsky et al. 2019)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_blazeface, NULL},
};
ZOO_DEFINE(blazeface, rows);
