#include <stdio.h>

#include "datasets/network/layer.h"
#include "datasets/network/residual.h"
#include "datasets/zoo/zoo.h"

/* HRNet-W32 for poses of Sun et al. 2019: branches of four resolutions side by side, each of which
   reads all others at the end of every module. 256 x 192, 17 points. */

enum { BRANCHES = 4, BLOCKS = 4, WIDTH = 32, POINTS = 17 };

/* Modules of the stage with so many branches. */
static const uint32_t modules[BRANCHES + 1] = {0, 0, 1, 4, 3};

static uint32_t find_width(uint32_t branch)
{
    return WIDTH << branch;
}

static struct network_filters halve(uint32_t channels)
{
    return network_filters(channels, network_same(3, 2));
}

static uint32_t add_block(struct network *network, const char *name, uint32_t x, uint32_t channels)
{
    char layer[64];
    const struct network_filters filters = network_filters(channels, network_same(3, 1));
    snprintf(layer, sizeof layer, "%s_conv1", name);
    uint32_t y = network_conv(network, layer, x, filters, NETWORK_RELU);
    snprintf(layer, sizeof layer, "%s_conv2", name);
    y = network_conv(network, layer, y, filters, NETWORK_LINEAR);
    snprintf(layer, sizeof layer, "%s_add", name);
    return network_add(network, layer, y, x, NETWORK_RELU);
}

/* Branch `from` in the resolution of branch `to`. */
static uint32_t add_path(struct network *network, const char *name, const uint32_t *branch,
                         uint32_t from, uint32_t to)
{
    uint32_t x = branch[from];
    char layer[64];
    const struct network_filters point = network_filters(find_width(to), network_same(1, 1));
    snprintf(layer, sizeof layer, "%s_from%u", name, from);
    if (from > to) {
        char resize[80];
        snprintf(resize, sizeof resize, "%s_resize", layer);
        x = network_conv(network, layer, x, point, NETWORK_LINEAR);
        if (network->status)
            return 0;
        const uint64_t *shape = network_shape(network, branch[to]);
        return network_resize(network, resize, x, (uint32_t)shape[1], (uint32_t)shape[2]);
    }
    for (uint32_t i = from; i < to; i++) {
        bool last = i + 1 == to;
        snprintf(layer, sizeof layer, "%s_from%u_%u", name, from, i + 1);
        x = network_conv(network, layer, x, halve(find_width(last ? to : from)),
                         last ? NETWORK_LINEAR : NETWORK_RELU);
    }
    return x;
}

/* What all branches give to branch `to`. */
static uint32_t add_fusion(struct network *network, const char *module, const uint32_t *branch,
                           uint32_t branches, uint32_t to)
{
    char name[48], layer[64];
    uint32_t sum = 0;
    snprintf(name, sizeof name, "%s_fuse%u", module, to);
    for (uint32_t from = 0; from < branches; from++) {
        uint32_t path = add_path(network, name, branch, from, to);
        snprintf(layer, sizeof layer, "%s_add%u", name, from);
        sum = from == 0 ? path
                        : network_add(network, layer, sum, path,
                                      from + 1 == branches ? NETWORK_RELU : NETWORK_LINEAR);
    }
    return sum;
}

/* The last module of all has one output. */
static void add_module(struct network *network, const char *module, uint32_t *branch,
                       uint32_t branches, uint32_t outputs)
{
    char name[48];
    uint32_t fused[BRANCHES];
    for (uint32_t b = 0; b < branches; b++)
        for (uint32_t i = 0; i < BLOCKS; i++) {
            snprintf(name, sizeof name, "%s_branch%u_block%u", module, b, i + 1);
            branch[b] = add_block(network, name, branch[b], find_width(b));
        }
    for (uint32_t to = 0; to < outputs; to++)
        fused[to] = add_fusion(network, module, branch, branches, to);
    for (uint32_t to = 0; to < outputs; to++)
        branch[to] = fused[to];
}

static uint32_t add_stem(struct network *network, uint32_t x)
{
    static const struct residual bottlenecks = {{4}, true, true};
    x = network_conv(network, "stem1", x, halve(64), NETWORK_RELU);
    x = network_conv(network, "stem2", x, halve(64), NETWORK_RELU);
    for (uint32_t i = 0; i < 4; i++)
        x = residual_block(network, &bottlenecks, (struct residual_position){0, i}, x);
    return x;
}

static uint32_t build_hrnet(struct network *network, const void *variant)
{
    char name[32];
    uint32_t branch[BRANCHES];
    (void)variant;
    uint32_t x = add_stem(network, network_image(network, "image", 256, 192, 3));
    branch[0] = network_conv(network, "branch0", x,
                             network_filters(find_width(0), network_same(3, 1)), NETWORK_RELU);
    for (uint32_t branches = 2; branches <= BRANCHES; branches++) {
        snprintf(name, sizeof name, "branch%u", branches - 1);
        branch[branches - 1] = network_conv(network, name, branches == 2 ? x : branch[branches - 2],
                                            halve(find_width(branches - 1)), NETWORK_RELU);
        for (uint32_t i = 0; i < modules[branches]; i++) {
            bool last = branches == BRANCHES && i + 1 == modules[branches];
            snprintf(name, sizeof name, "stage%u_module%u", branches, i + 1);
            add_module(network, name, branch, branches, last ? 1 : branches);
        }
    }
    return network_conv_bias(network, "points", branch[0],
                             network_filters(POINTS, network_same(1, 1)), NETWORK_LINEAR);
}

static const struct zoo_network rows[] = {
    {"wired/hrnet_w32", "HRNet-W32 for poses, 256 x 192 (Sun et al. 2019)", false, ZOO_IMAGE,
     build_hrnet, NULL},
};
ZOO_DEFINE(hrnet, rows);
