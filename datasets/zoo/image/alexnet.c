#include "datasets/zoo/zoo.h"

/* AlexNet of Krizhevsky, "One weird trick for parallelizing convolutional neural networks" (2014),
   one tower, as torchvision builds it. */

static uint32_t build_alexnet(struct network *network, const void *variant)
{
    (void)variant;
    uint32_t x = network_image(network, "image", 224, 224, 3);
    x = network_conv_bias(network, "conv1", x, network_filters(64, network_padded(11, 4, 2)),
                          NETWORK_RELU);
    x = network_max_pool(network, "pool1", x, network_valid(3, 2));
    x = network_conv_bias(network, "conv2", x, network_filters(192, network_same(5, 1)),
                          NETWORK_RELU);
    x = network_max_pool(network, "pool2", x, network_valid(3, 2));
    x = network_conv_bias(network, "conv3", x, network_filters(384, network_same(3, 1)),
                          NETWORK_RELU);
    x = network_conv_bias(network, "conv4", x, network_filters(256, network_same(3, 1)),
                          NETWORK_RELU);
    x = network_conv_bias(network, "conv5", x, network_filters(256, network_same(3, 1)),
                          NETWORK_RELU);
    x = network_max_pool(network, "pool5", x, network_valid(3, 2));
    x = network_dense(network, "fc6", x, 4096, NETWORK_RELU);
    x = network_dense(network, "fc7", x, 4096, NETWORK_RELU);
    x = network_dense(network, "fc8", x, 1000, NETWORK_LINEAR);
    return network_softmax(network, "softmax", x);
}

static const struct zoo_network rows[] = {
    {"zoo/alexnet", "AlexNet, one tower, 224 x 224 (Krizhevsky 2014)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_alexnet, NULL},
};
ZOO_DEFINE(alexnet, rows);
