#include <stdio.h>

#include "datasets/network/control.h"
#include "datasets/network/residual.h"
#include "datasets/zoo/zoo.h"

/* SkipNet of Wang et al., "SkipNet: Learning Dynamic Routing in Convolutional Networks" (2018), on
   ResNet-50: a small gate looks at each block's input and says whether the block runs or its input
   goes on as it is. Blocks that change the shape keep their shortcut either way. */

static uint32_t add_gate(struct network *network, const char *block, uint32_t x)
{
    char name[48];
    snprintf(name, sizeof name, "%s_gate_pool", block);
    x = network_global_average_pool(network, name, x);
    snprintf(name, sizeof name, "%s_gate_hidden", block);
    x = network_dense(network, name, x, 10, NETWORK_RELU);
    snprintf(name, sizeof name, "%s_gate", block);
    return network_dense(network, name, x, 1, NETWORK_LINEAR);
}

static uint32_t add_block(struct network *network, const struct residual *residual,
                          struct residual_position at, uint32_t x)
{
    char name[32];
    snprintf(name, sizeof name, "skip%u_%u", at.stage + 2, at.block + 1);
    uint32_t gate = add_gate(network, name, x);
    uint32_t shortcut = residual_shortcut(network, residual, at, x);
    network_open_branches(network, name, "If", gate);
    network_open_region(network, "run", 0.5);
    x = residual_convolutions(network, residual, at, x, shortcut);
    network_close_region(network, &x, 1);
    network_open_region(network, "skip", 0.5);
    network_close_region(network, &shortcut, 1);
    network_close_branches(network, name, &x, 1);
    return x;
}

static uint32_t build_skipnet(struct network *network, const void *variant)
{
    const struct residual *residual = variant;
    uint32_t x = residual_stem(network);
    for (uint32_t stage = 0; stage < RESIDUAL_STAGES; stage++)
        for (uint32_t block = 0; block < residual->blocks[stage]; block++)
            x = add_block(network, residual, (struct residual_position){stage, block}, x);
    x = network_global_average_pool(network, "pool5", x);
    x = network_dense(network, "fc1000", x, 1000, NETWORK_LINEAR);
    return network_softmax(network, "softmax", x);
}

static const struct residual resnet50 = {.blocks = {3, 4, 6, 3}, .bottleneck = true};

static const struct zoo_network rows[] = {
    {"zoo/skipnet", "SkipNet on ResNet-50, an If per block (Wang et al. 2018)", true, ZOO_IMAGE,
     build_skipnet, &resnet50},
};
ZOO_DEFINE(skipnet, rows);
