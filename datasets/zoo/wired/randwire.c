#include <stdio.h>
#include <string.h>

#include "core/random.h"
#include "datasets/network/layer.h"
#include "datasets/zoo/zoo.h"

/* Randomly wired networks of Xie et al. 2019, small regime, WS(32, 4, 0.75), as HMCOS builds them:
   a node adds up its inputs, then ReLU and a separable convolution; three cells of 32 nodes. */

enum { NODES = 32, NEIGHBOURS = 2, REWIRE_PERCENT = 75, STEM_FILTERS = 39, CELLS = 3 };

/* What a row of the table asks for. */
struct randwire {
    uint64_t seed;
    bool whole; /* the network, else the first cell alone */
    bool fused; /* a node's sum, ReLU and convolutions are one operator after the sum */
};

struct wiring {
    bool edge[NODES][NODES]; /* both ways */
};

static void connect(struct wiring *wiring, uint32_t i, uint32_t k, bool on)
{
    wiring->edge[i][k] = wiring->edge[k][i] = on;
}

/* One of those that node i has no edge with. */
static uint32_t draw_stranger(const struct wiring *wiring, uint32_t i, struct random_state *random)
{
    uint32_t stranger[NODES], count = 0;
    for (uint32_t k = 0; k < NODES; k++)
        if (k != i && !wiring->edge[i][k])
            stranger[count++] = k;
    return stranger[random_below(random, count)];
}

/* Watts and Strogatz 1998: a ring whose edges are moved by chance. */
static struct wiring draw_wiring(struct random_state *random)
{
    struct wiring wiring = {0};
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t j = 1; j <= NEIGHBOURS; j++)
            connect(&wiring, i, (i + j) % NODES, true);
    for (uint32_t i = 0; i < NODES; i++)
        for (uint32_t j = 1; j <= NEIGHBOURS; j++) {
            if (random_below(random, 100) >= REWIRE_PERCENT)
                continue;
            uint32_t stranger = draw_stranger(&wiring, i, random);
            connect(&wiring, i, (i + j) % NODES, false);
            connect(&wiring, i, stranger, true);
        }
    return wiring;
}

/* A cell while it is built. */
struct randwire_cell {
    struct network *network;
    const char *name;
    struct wiring wiring;
    uint32_t input, filters;
    bool fused;
};

/* One operator of any number of inputs of one shape. */
static uint32_t combine(struct network *network, const char *name, const char *type,
                        const uint32_t *inputs, uint32_t count)
{
    struct network_layer layer = {.name = name, .type = type, .input = inputs, .inputs = count};
    return network_layer_add_like(network, &layer, inputs[0], count);
}

static uint32_t add_convolution(const struct randwire_cell *cell, const char *node, uint32_t x,
                                uint32_t stride)
{
    char name[48];
    struct network *network = cell->network;
    if (cell->fused)
        return network_conv(network, node, x,
                            network_filters(cell->filters, network_same(3, stride)),
                            NETWORK_LINEAR);
    snprintf(name, sizeof name, "%s_relu", node);
    x = network_activate(network, name, x, NETWORK_RELU);
    snprintf(name, sizeof name, "%s_depthwise", node);
    x = network_depthwise_conv(network, name, x, network_same(3, stride), NETWORK_LINEAR);
    snprintf(name, sizeof name, "%s_pointwise", node);
    return network_conv(network, name, x, network_filters(cell->filters, network_same(1, 1)),
                        NETWORK_LINEAR);
}

static uint32_t add_node(const struct randwire_cell *cell, uint32_t i, const uint32_t *output)
{
    char node[24], name[48];
    uint32_t input[NODES], count = 0;
    snprintf(node, sizeof node, "%s_node%u", cell->name, i);
    for (uint32_t k = 0; k < i; k++)
        if (cell->wiring.edge[k][i])
            input[count++] = output[k];
    if (!count)
        return add_convolution(cell, node, cell->input, 2);
    snprintf(name, sizeof name, "%s_sum", node);
    uint32_t x = count == 1 ? input[0] : combine(cell->network, name, "Sum", input, count);
    return add_convolution(cell, node, x, 1);
}

static bool is_read(const struct randwire_cell *cell, uint32_t i)
{
    for (uint32_t k = i + 1; k < NODES; k++)
        if (cell->wiring.edge[i][k])
            return true;
    return false;
}

static uint32_t add_cell(const struct randwire_cell *cell)
{
    char name[24];
    uint32_t output[NODES], last[NODES], count = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        output[i] = add_node(cell, i, output);
        if (!is_read(cell, i))
            last[count++] = output[i];
    }
    snprintf(name, sizeof name, "%s_mean", cell->name);
    return combine(cell->network, name, "Mean", last, count);
}

static uint32_t build_randwire(struct network *network, const void *variant)
{
    const struct randwire *randwire = variant;
    struct random_state random = random_seed(randwire->seed);
    struct randwire_cell cell = {.network = network, .fused = randwire->fused};
    char name[16];
    uint32_t filters = 2 * STEM_FILTERS;
    uint32_t x = randwire->whole ? network_image(network, "image", 224, 224, 3)
                                 : network_input(network, "image", 56, 56, filters);
    if (randwire->whole) {
        x = network_conv(network, "stem1", x, network_filters(STEM_FILTERS, network_same(3, 2)),
                         NETWORK_LINEAR);
        x = network_activate(network, "stem_relu", x, NETWORK_RELU);
        x = network_conv(network, "stem2", x, network_filters(filters, network_same(3, 2)),
                         NETWORK_LINEAR);
    }
    for (uint32_t i = 0; i < (randwire->whole ? CELLS : 1) && !network->status; i++) {
        snprintf(name, sizeof name, "cell%u", i + 1);
        cell.name = name;
        cell.wiring = draw_wiring(&random);
        cell.filters = filters << i;
        cell.input = x;
        x = add_cell(&cell);
    }
    if (!randwire->whole)
        return x;
    x = network_conv(network, "head_conv", x, network_filters(1280, network_same(1, 1)),
                     NETWORK_LINEAR);
    x = network_global_average_pool(network, "head_pool", x);
    return network_dense(network, "head", x, 1000, NETWORK_LINEAR);
}

static const struct randwire variants[] = {
    {1, true, false},  {2, true, false},  {1, false, false}, {2, false, false},
    {3, false, false}, {4, false, false}, {5, false, false}, {1, false, true},
};

static const struct zoo_network rows[] = {
    {"wired/randwire_1", "RandWire, 3 cells of WS(32, 4, 0.75), seed 1 (Xie et al. 2019)", false,
     ZOO_IMAGE, build_randwire, &variants[0]},
    {"wired/randwire_2", "RandWire, 3 cells of WS(32, 4, 0.75), seed 2 (Xie et al. 2019)", false,
     ZOO_IMAGE, build_randwire, &variants[1]},
    {"wired/randwire_cell_1", "One RandWire cell, seed 1 (Xie et al. 2019)", false, 0,
     build_randwire, &variants[2]},
    {"wired/randwire_cell_2", "One RandWire cell, seed 2 (Xie et al. 2019)", false, 0,
     build_randwire, &variants[3]},
    {"wired/randwire_cell_3", "One RandWire cell, seed 3 (Xie et al. 2019)", false, 0,
     build_randwire, &variants[4]},
    {"wired/randwire_cell_4", "One RandWire cell, seed 4 (Xie et al. 2019)", false, 0,
     build_randwire, &variants[5]},
    {"wired/randwire_cell_5", "One RandWire cell, seed 5 (Xie et al. 2019)", false, 0,
     build_randwire, &variants[6]},
    {"wired/randwire_fused", "One RandWire cell, a convolution per node, seed 1 (Xie et al. 2019)",
     false, 0, build_randwire, &variants[7]},
};
ZOO_DEFINE(randwire, rows);
