#include <stdio.h>

#include "datasets/zoo/zoo.h"

/* Inception v3 of Szegedy et al., "Rethinking the Inception Architecture for Computer Vision"
   (2015), as torchvision builds it, without the auxiliary classifier. Blocks A to E are
   torchvision's names of the modules of Figures 5 to 7 and of the two that halve the image. */

struct block {
    struct network *network;
    const char *name;
    uint32_t input;
};

/* A step of a branch: a window and its channels. */
struct step {
    uint32_t height, width, channels, stride; /* stride 2: without padding; height 0: the end */
};

static uint32_t add_step(const struct block *block, const char *branch, uint32_t number,
                         const struct step *step, uint32_t x)
{
    char name[96];
    struct network_window window = network_oblong(step->height, step->width);
    if (step->stride == 2)
        window = network_valid(step->height, 2);
    snprintf(name, sizeof name, "%s_%s_%u", block->name, branch, number);
    return network_conv(block->network, name, x, network_filters(step->channels, window),
                        NETWORK_RELU);
}

static uint32_t add_branch(const struct block *block, const char *branch, const struct step *steps)
{
    uint32_t x = block->input;
    for (uint32_t i = 0; steps[i].height; i++)
        x = add_step(block, branch, i + 1, &steps[i], x);
    return x;
}

static uint32_t add_pooled(const struct block *block, uint32_t channels)
{
    char name[48];
    const struct step step = {1, 1, channels, 1};
    snprintf(name, sizeof name, "%s_pool", block->name);
    uint32_t x = network_average_pool(block->network, name, block->input, network_same(3, 1));
    return add_step(block, "pool", 1, &step, x);
}

static uint32_t add_max_pool(const struct block *block)
{
    char name[48];
    snprintf(name, sizeof name, "%s_pool", block->name);
    return network_max_pool(block->network, name, block->input, network_valid(3, 2));
}

static uint32_t add_block_a(const struct block *block, uint32_t pooled)
{
    const uint32_t branch[] = {
        add_branch(block, "1x1", (struct step[]){{1, 1, 64, 1}, {0}}),
        add_branch(block, "5x5", (struct step[]){{1, 1, 48, 1}, {5, 5, 64, 1}, {0}}),
        add_branch(block, "3x3", (struct step[]){{1, 1, 64, 1}, {3, 3, 96, 1}, {3, 3, 96, 1}, {0}}),
        add_pooled(block, pooled),
    };
    return network_concat(block->network, block->name, branch, 4);
}

static uint32_t add_block_b(const struct block *block, uint32_t unused)
{
    (void)unused;
    const uint32_t branch[] = {
        add_branch(block, "3x3", (struct step[]){{3, 3, 384, 2}, {0}}),
        add_branch(block, "double",
                   (struct step[]){{1, 1, 64, 1}, {3, 3, 96, 1}, {3, 3, 96, 2}, {0}}),
        add_max_pool(block),
    };
    return network_concat(block->network, block->name, branch, 3);
}

static uint32_t add_block_c(const struct block *block, uint32_t c)
{
    const uint32_t branch[] = {
        add_branch(block, "1x1", (struct step[]){{1, 1, 192, 1}, {0}}),
        add_branch(block, "7x7", (struct step[]){{1, 1, c, 1}, {1, 7, c, 1}, {7, 1, 192, 1}, {0}}),
        add_branch(
            block, "double",
            (struct step[]){
                {1, 1, c, 1}, {7, 1, c, 1}, {1, 7, c, 1}, {7, 1, c, 1}, {1, 7, 192, 1}, {0}}),
        add_pooled(block, 192),
    };
    return network_concat(block->network, block->name, branch, 4);
}

static uint32_t add_block_d(const struct block *block, uint32_t unused)
{
    (void)unused;
    const uint32_t branch[] = {
        add_branch(block, "3x3", (struct step[]){{1, 1, 192, 1}, {3, 3, 320, 2}, {0}}),
        add_branch(
            block, "7x7",
            (struct step[]){{1, 1, 192, 1}, {1, 7, 192, 1}, {7, 1, 192, 1}, {3, 3, 192, 2}, {0}}),
        add_max_pool(block),
    };
    return network_concat(block->network, block->name, branch, 3);
}

/* The 3x3 at the end of a branch as 1x3 beside 3x1. */
static void add_split(const struct block *block, const char *branch, uint32_t x, uint32_t halves[2])
{
    char name[32];
    snprintf(name, sizeof name, "%s_1x3", branch);
    halves[0] = add_step(block, name, 1, &(struct step){1, 3, 384, 1}, x);
    snprintf(name, sizeof name, "%s_3x1", branch);
    halves[1] = add_step(block, name, 1, &(struct step){3, 1, 384, 1}, x);
}

static uint32_t add_block_e(const struct block *block, uint32_t unused)
{
    uint32_t branch[6], x;
    (void)unused;
    branch[0] = add_branch(block, "1x1", (struct step[]){{1, 1, 320, 1}, {0}});
    x = add_branch(block, "3x3", (struct step[]){{1, 1, 384, 1}, {0}});
    add_split(block, "3x3", x, branch + 1);
    x = add_branch(block, "double", (struct step[]){{1, 1, 448, 1}, {3, 3, 384, 1}, {0}});
    add_split(block, "double", x, branch + 3);
    branch[5] = add_pooled(block, 192);
    return network_concat(block->network, block->name, branch, 6);
}

static const struct {
    const char *name;
    uint32_t (*add)(const struct block *block, uint32_t channels);
    uint32_t channels; /* of the pooled branch of A, of the 7x7 of C */
} blocks[] = {
    {"mixed5b", add_block_a, 32},  {"mixed5c", add_block_a, 64},  {"mixed5d", add_block_a, 64},
    {"mixed6a", add_block_b, 0},   {"mixed6b", add_block_c, 128}, {"mixed6c", add_block_c, 160},
    {"mixed6d", add_block_c, 160}, {"mixed6e", add_block_c, 192}, {"mixed7a", add_block_d, 0},
    {"mixed7b", add_block_e, 0},   {"mixed7c", add_block_e, 0},
};

static uint32_t build_inception_v3(struct network *network, const void *variant)
{
    (void)variant;
    uint32_t x = network_image(network, "image", 299, 299, 3);
    x = network_conv(network, "conv1a", x, network_filters(32, network_valid(3, 2)), NETWORK_RELU);
    x = network_conv(network, "conv2a", x, network_filters(32, network_valid(3, 1)), NETWORK_RELU);
    x = network_conv(network, "conv2b", x, network_filters(64, network_same(3, 1)), NETWORK_RELU);
    x = network_max_pool(network, "pool1", x, network_valid(3, 2));
    x = network_conv(network, "conv3b", x, network_filters(80, network_valid(1, 1)), NETWORK_RELU);
    x = network_conv(network, "conv4a", x, network_filters(192, network_valid(3, 1)), NETWORK_RELU);
    x = network_max_pool(network, "pool2", x, network_valid(3, 2));
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const struct block block = {network, blocks[i].name, x};
        x = blocks[i].add(&block, blocks[i].channels);
    }
    x = network_global_average_pool(network, "pool", x);
    x = network_dense(network, "fc", x, 1000, NETWORK_LINEAR);
    return network_softmax(network, "softmax", x);
}

static const struct zoo_network rows[] = {
    {"zoo/inception_v3", "Inception v3, 299 x 299 (Szegedy et al. 2015)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_inception_v3, NULL},
};
ZOO_DEFINE(inception_v3, rows);
