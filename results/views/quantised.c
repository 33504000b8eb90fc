#include "results/views/quantised.h"

#include <stdio.h>
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

bool quantised_printed(const char *table, const char *network, const char *what,
                       struct published_value *printed)
{
    char figure[sizeof printed->text];
    const char *const keys[] = {table, figure};
    snprintf(figure, sizeof figure, "%s: %s", network, what);
    return published_find("xu2019", keys, 2, "printed", printed);
}

double quantised_number(const char *table, const char *network, const char *what)
{
    struct published_value printed;
    double number = 0;
    if (quantised_printed(table, network, what, &printed))
        number = strtod(printed.text, NULL);
    return number > 0 ? number : 0;
}
