#include <stdio.h>

#include "datasets/zoo/zoo.h"

/* GoogLeNet of Szegedy et al., "Going Deeper with Convolutions" (2014), Table 1, as torchvision
   builds it: with batch normalisation, 3x3 where the paper has 5x5, no auxiliary classifiers. */

struct inception {
    const char *name;
    uint32_t one, reduce3, three, reduce5, five, pool; /* channels, as the columns of the table */
    bool pooled;                                       /* halved before */
};

static const struct inception inceptions[] = {
    {"3a", 64, 96, 128, 16, 32, 32, true},      {"3b", 128, 128, 192, 32, 96, 64, false},
    {"4a", 192, 96, 208, 16, 48, 64, true},     {"4b", 160, 112, 224, 24, 64, 64, false},
    {"4c", 128, 128, 256, 24, 64, 64, false},   {"4d", 112, 144, 288, 32, 64, 64, false},
    {"4e", 256, 160, 320, 32, 128, 128, false}, {"5a", 256, 160, 320, 32, 128, 128, true},
    {"5b", 384, 192, 384, 48, 128, 128, false},
};

static uint32_t add_conv(struct network *network, const struct inception *row, const char *layer,
                         uint32_t x, struct network_filters filters)
{
    char name[32];
    snprintf(name, sizeof name, "inception%s_%s", row->name, layer);
    return network_conv(network, name, x, filters, NETWORK_RELU);
}

static uint32_t add_inception(struct network *network, const struct inception *row, uint32_t x)
{
    char name[32];
    uint32_t branch[4];
    branch[0] = add_conv(network, row, "1x1", x, network_filters(row->one, network_same(1, 1)));
    branch[1] =
        add_conv(network, row, "3x3_reduce", x, network_filters(row->reduce3, network_same(1, 1)));
    branch[1] =
        add_conv(network, row, "3x3", branch[1], network_filters(row->three, network_same(3, 1)));
    branch[2] =
        add_conv(network, row, "5x5_reduce", x, network_filters(row->reduce5, network_same(1, 1)));
    branch[2] =
        add_conv(network, row, "5x5", branch[2], network_filters(row->five, network_same(3, 1)));
    snprintf(name, sizeof name, "inception%s_pool", row->name);
    branch[3] = network_max_pool(network, name, x, network_same(3, 1));
    branch[3] = add_conv(network, row, "pool_proj", branch[3],
                         network_filters(row->pool, network_same(1, 1)));
    snprintf(name, sizeof name, "inception%s", row->name);
    return network_concat(network, name, branch, 4);
}

static uint32_t build_googlenet(struct network *network, const void *variant)
{
    char name[32];
    (void)variant;
    uint32_t x = network_image(network, "image", 224, 224, 3);
    x = network_conv(network, "conv1", x, network_filters(64, network_same(7, 2)), NETWORK_RELU);
    x = network_max_pool(network, "pool1", x, network_ceil(3, 2));
    x = network_conv(network, "conv2_reduce", x, network_filters(64, network_same(1, 1)),
                     NETWORK_RELU);
    x = network_conv(network, "conv2", x, network_filters(192, network_same(3, 1)), NETWORK_RELU);
    for (size_t i = 0; i < sizeof inceptions / sizeof *inceptions; i++) {
        snprintf(name, sizeof name, "pool%s", inceptions[i].name);
        if (inceptions[i].pooled)
            x = network_max_pool(network, name, x, network_ceil(3, 2));
        x = add_inception(network, &inceptions[i], x);
    }
    x = network_global_average_pool(network, "pool5", x);
    x = network_dense(network, "fc", x, 1000, NETWORK_LINEAR);
    return network_softmax(network, "softmax", x);
}

static const struct zoo_network rows[] = {
    {"zoo/googlenet", "GoogLeNet, torchvision's, 224 x 224 (Szegedy et al. 2014)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_googlenet, NULL},
};
ZOO_DEFINE(googlenet, rows);
