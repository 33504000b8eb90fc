#include "datasets/network/residual.h"
#include "datasets/zoo/zoo.h"

/* ResNet of He, Zhang, Ren and Sun, "Deep Residual Learning for Image Recognition" (2015), Table 1.
   Version 1 as in the paper: a stage's first block halves the image in its first 1x1 convolution.
   torchvision's model, "v1.5", does so in the 3x3 and needs 4.1 G multiply-adds instead of 3.9 G
   for 50 layers. */

static uint32_t build_resnet(struct network *network, const void *variant)
{
    const struct residual *residual = variant;
    uint32_t x = residual_stem(network);
    for (uint32_t stage = 0; stage < RESIDUAL_STAGES; stage++)
        for (uint32_t block = 0; block < residual->blocks[stage]; block++)
            x = residual_block(network, residual, (struct residual_position){stage, block}, x);
    x = network_global_average_pool(network, "pool5", x);
    x = network_dense(network, "fc1000", x, 1000, NETWORK_LINEAR);
    return network_softmax(network, "softmax", x);
}

static const struct residual resnet18 = {.blocks = {2, 2, 2, 2}};
static const struct residual resnet34 = {.blocks = {3, 4, 6, 3}};
static const struct residual resnet50 = {.blocks = {3, 4, 6, 3}, .bottleneck = true};
static const struct residual resnet101 = {.blocks = {3, 4, 23, 3}, .bottleneck = true};
static const struct residual resnet152 = {.blocks = {3, 8, 36, 3}, .bottleneck = true};
static const struct residual resnet50_v1_5 = {
    .blocks = {3, 4, 6, 3}, .bottleneck = true, .late_stride = true};

static const struct zoo_network rows[] = {
    {"zoo/resnet18", "ResNet-18, 224 x 224 (He et al. 2015)", false, ZOO_IMAGE | ZOO_TRAINING,
     build_resnet, &resnet18},
    {"zoo/resnet34", "ResNet-34, 224 x 224 (He et al. 2015)", false, ZOO_IMAGE | ZOO_TRAINING,
     build_resnet, &resnet34},
    {"zoo/resnet50", "ResNet-50 v1, 224 x 224, float32 (He et al. 2015)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_resnet, &resnet50},
    {"zoo/resnet101", "ResNet-101 v1, 224 x 224 (He et al. 2015)", false, ZOO_IMAGE | ZOO_TRAINING,
     build_resnet, &resnet101},
    {"zoo/resnet152", "ResNet-152 v1, 224 x 224 (He et al. 2015)", false, ZOO_IMAGE | ZOO_TRAINING,
     build_resnet, &resnet152},
    {"zoo/resnet50_v1_5", "ResNet-50 v1.5, torchvision's, 224 x 224 (He et al. 2015)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_resnet, &resnet50_v1_5},
};
ZOO_DEFINE(resnet, rows);
