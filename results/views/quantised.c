#include "results/views/quantised.h"

const struct quantised_network quantised_networks[QUANTISED_NETWORKS] = {
    {"Resnet18", "Resnet18", "zoo/resnet18?dtype=float16"},
    {"Resnet34", "Resnet34", "zoo/resnet34?dtype=float16"},
    {"Resnet50", "Resnet50", "zoo/resnet50?dtype=float16"},
    {"Resnet101", "Resnet101", "zoo/resnet101?dtype=float16"},
    {"Resnet152", "Resnet152", "zoo/resnet152?dtype=float16"},
    {"Vgg16", "Vgg16", "zoo/vgg16?dtype=float16"},
    {"Vgg19", "Vgg19", "zoo/vgg19?dtype=float16"},
    {"AlexNet", "AlexNet", "zoo/alexnet?dtype=float16"},
    {"GoogleNet", "GoogleNet", "zoo/googlenet?dtype=float16"},
    {"MobileNet", "MobileNet", "zoo/mobilenet_v1?dtype=float16"},
    {"SqueezeNet", "SqueezeNet", "zoo/squeezenet?dtype=float16"},
    {"Inception_v3", "Inception_V3", "zoo/inception_v3?dtype=float16"},
};
