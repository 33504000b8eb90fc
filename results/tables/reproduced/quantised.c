#include "results/tables/reproduced/quantised.h"

#include <stdlib.h>

const struct quantised_network quantised_networks[QUANTISED_NETWORKS] = {
    {"Resnet18", "zoo/resnet18?dtype=float16"},
    {"Resnet34", "zoo/resnet34?dtype=float16"},
    {"Resnet50", "zoo/resnet50?dtype=float16"},
    {"Resnet101", "zoo/resnet101?dtype=float16"},
    {"Resnet152", "zoo/resnet152?dtype=float16"},
    {"Vgg16", "zoo/vgg16?dtype=float16"},
    {"Vgg19", "zoo/vgg19?dtype=float16"},
    {"AlexNet", "zoo/alexnet?dtype=float16"},
    {"GoogleNet", "zoo/googlenet?dtype=float16"},
    {"MobileNet", "zoo/mobilenet_v1?dtype=float16"},
    {"SqueezeNet", "zoo/squeezenet?dtype=float16"},
    {"Inception_v3", "zoo/inception_v3?dtype=float16"},
};

double quantised_number(const char *table, const char *network, const char *what)
{
    struct published_value printed;
    double number = 0;
    if (published_of(QUANTISED_SOURCE, table, network, what, &printed))
        number = strtod(printed.text, NULL);
    return number > 0 ? number : 0;
}
