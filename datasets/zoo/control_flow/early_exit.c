#include <stdio.h>

#include "datasets/network/control.h"
#include "datasets/network/residual.h"
#include "datasets/zoo/zoo.h"

/* BranchyNet of Teerapittayanon, McDanel and Kung (2016) on ResNet-18: a classifier after each
   stage, and the rest of the network only where it is not sure, so the Ifs are nested. */

static uint32_t add_classifier(struct network *network, uint32_t stage, uint32_t x)
{
    char name[32];
    snprintf(name, sizeof name, "exit%u_pool", stage + 1);
    x = network_global_average_pool(network, name, x);
    snprintf(name, sizeof name, "exit%u_fc", stage + 1);
    x = network_dense(network, name, x, 1000, NETWORK_LINEAR);
    snprintf(name, sizeof name, "exit%u_softmax", stage + 1);
    return network_softmax(network, name, x);
}

static uint32_t add_stages(struct network *network, const struct residual *residual, uint32_t stage,
                           uint32_t x);

/* The classifier's answer where it is sure enough, else that of the stages after it. */
static uint32_t add_exit(struct network *network, const struct residual *residual, uint32_t stage,
                         uint32_t x)
{
    char name[32];
    uint32_t answer = add_classifier(network, stage, x);
    snprintf(name, sizeof name, "exit%u_entropy", stage + 1);
    uint32_t sure = network_dense(network, name, answer, 1, NETWORK_LINEAR);
    snprintf(name, sizeof name, "exit%u", stage + 1);
    network_open_branches(network, name, "If", sure);
    network_open_region(network, "leave", -1);
    network_close_region(network, &answer, 1);
    network_open_region(network, "go_on", -1);
    x = add_stages(network, residual, stage + 1, x);
    network_close_region(network, &x, 1);
    network_close_branches(network, name, &x, 1);
    return x;
}

static uint32_t add_stages(struct network *network, const struct residual *residual, uint32_t stage,
                           uint32_t x)
{
    for (uint32_t block = 0; block < residual->blocks[stage]; block++)
        x = residual_block(network, residual, (struct residual_position){stage, block}, x);
    return stage + 1 < RESIDUAL_STAGES ? add_exit(network, residual, stage, x)
                                       : add_classifier(network, stage, x);
}

static uint32_t build_early_exit(struct network *network, const void *variant)
{
    return add_stages(network, variant, 0, residual_stem(network));
}

static const struct residual resnet18 = {.blocks = {2, 2, 2, 2}};

static const struct zoo_network rows[] = {
    {"zoo/early_exit", "BranchyNet on ResNet-18, nested Ifs (Teerapittayanon et al. 2016)", true,
     ZOO_IMAGE, build_early_exit, &resnet18},
};
ZOO_DEFINE(early_exit, rows);
