#include "datasets/zoo/wired/cells.h"

#include <stdio.h>

#define IDENTITY(block)                                                                            \
    {                                                                                              \
        CELL_IDENTITY, 1, block                                                                    \
    }
#define SEPARABLE(size, block)                                                                     \
    {                                                                                              \
        CELL_SEPARABLE, size, block                                                                \
    }
#define DILATED(size, block)                                                                       \
    {                                                                                              \
        CELL_DILATED, size, block                                                                  \
    }
#define AVERAGE(size, block)                                                                       \
    {                                                                                              \
        CELL_AVERAGE, size, block                                                                  \
    }
#define MAX(size, block)                                                                           \
    {                                                                                              \
        CELL_MAX, size, block                                                                      \
    }
#define OBLONG(size, block)                                                                        \
    {                                                                                              \
        CELL_OBLONG, size, block                                                                   \
    }

/* Liu, Simonyan and Yang 2019, second order. */
const struct cell_kind cell_darts = {
    "darts",
    {.left = {SEPARABLE(3, 0), SEPARABLE(3, 0), SEPARABLE(3, 1), IDENTITY(0)},
     .right = {SEPARABLE(3, 1), SEPARABLE(3, 1), IDENTITY(0), DILATED(3, 2)},
     .blocks = 4,
     .gathered = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5},
    {.left = {MAX(3, 0), IDENTITY(2), MAX(3, 0), IDENTITY(2)},
     .right = {MAX(3, 1), MAX(3, 1), IDENTITY(2), MAX(3, 1)},
     .blocks = 4,
     .gathered = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5},
};

/* Zoph et al. 2018, NASNet-A. */
const struct cell_kind cell_nasnet = {
    "nasnet",
    {.left = {SEPARABLE(5, 1), SEPARABLE(5, 0), AVERAGE(3, 1), AVERAGE(3, 0), SEPARABLE(3, 1)},
     .right = {SEPARABLE(3, 0), SEPARABLE(3, 0), IDENTITY(0), AVERAGE(3, 0), IDENTITY(1)},
     .blocks = 5,
     .gathered = 1 << 0 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6},
    {.left = {SEPARABLE(5, 1), MAX(3, 1), AVERAGE(3, 1), IDENTITY(3), SEPARABLE(3, 2)},
     .right = {SEPARABLE(7, 0), SEPARABLE(5, 0), SEPARABLE(5, 0), AVERAGE(3, 2), MAX(3, 1)},
     .blocks = 5,
     .gathered = 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6},
};

/* Real et al. 2019, AmoebaNet-A. */
const struct cell_kind cell_amoebanet = {
    "amoebanet",
    {.left = {AVERAGE(3, 0), IDENTITY(0), SEPARABLE(5, 2), SEPARABLE(3, 2), AVERAGE(3, 4)},
     .right = {MAX(3, 0), AVERAGE(3, 1), SEPARABLE(3, 1), IDENTITY(1), SEPARABLE(3, 0)},
     .blocks = 5,
     .gathered = 1 << 3 | 1 << 5 | 1 << 6},
    {.left = {AVERAGE(3, 0), MAX(3, 1), MAX(3, 0), SEPARABLE(7, 0), SEPARABLE(3, 3)},
     .right = {SEPARABLE(3, 1), MAX(3, 0), SEPARABLE(7, 2), AVERAGE(3, 1), OBLONG(7, 0)},
     .blocks = 5,
     .gathered = 1 << 4 | 1 << 5 | 1 << 6},
};

/* Liu et al. 2018, PNASNet-5: one cell for both. */
#define PNAS                                                                                       \
    {                                                                                              \
        .left = {SEPARABLE(5, 0), SEPARABLE(7, 1), SEPARABLE(5, 1), SEPARABLE(3, 4),               \
                 SEPARABLE(3, 0)},                                                                 \
        .right = {MAX(3, 0), MAX(3, 1), SEPARABLE(3, 1), MAX(3, 1), AVERAGE(1, 1)}, .blocks = 5,   \
        .gathered = 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6                                     \
    }
const struct cell_kind cell_pnas = {"pnas", PNAS, PNAS};

/* One operation of a block while it is built. */
struct building {
    struct network *network;
    const char *prefix; /* of the names of its layers */
    uint32_t filters, stride;
};

static const char *name_layer(const struct building *building, const char *layer, char text[64])
{
    snprintf(text, 64, "%s_%s", building->prefix, layer);
    return text;
}

/* ReLU, depthwise, pointwise convolution. */
static uint32_t add_half(const struct building *building, const char *half,
                         struct network_window window, uint32_t x)
{
    char name[64], layer[32];
    struct network *network = building->network;
    snprintf(layer, sizeof layer, "relu%s", half);
    x = network_activate(network, name_layer(building, layer, name), x, NETWORK_RELU);
    snprintf(layer, sizeof layer, "depthwise%s", half);
    x = network_depthwise_conv(network, name_layer(building, layer, name), x, window,
                               NETWORK_LINEAR);
    snprintf(layer, sizeof layer, "pointwise%s", half);
    return network_conv(network, name_layer(building, layer, name), x,
                        network_filters(building->filters, network_same(1, 1)), NETWORK_LINEAR);
}

static uint32_t add_separable(const struct building *building, uint32_t size, uint32_t x)
{
    x = add_half(building, "1", network_same(size, building->stride), x);
    return add_half(building, "2", network_same(size, 1), x);
}

static uint32_t add_dilated(const struct building *building, uint32_t size, uint32_t x)
{
    struct network_window window = network_dilated(size, 2);
    window.stride = building->stride;
    return add_half(building, "", window, x);
}

static uint32_t add_oblong(const struct building *building, uint32_t size, uint32_t x)
{
    char name[64];
    struct network_window window = network_oblong(1, size);
    window.stride = building->stride;
    x = network_conv(building->network, name_layer(building, "wide", name), x,
                     network_filters(building->filters, window), NETWORK_LINEAR);
    return network_conv(building->network, name_layer(building, "high", name), x,
                        network_filters(building->filters, network_oblong(size, 1)),
                        NETWORK_LINEAR);
}

static uint32_t add_operation(const struct building *building, struct cell_side side, uint32_t x)
{
    char name[64];
    struct network_window window = network_same(side.size, building->stride);
    switch (side.operation) {
    case CELL_SEPARABLE:
        return add_separable(building, side.size, x);
    case CELL_DILATED:
        return add_dilated(building, side.size, x);
    case CELL_OBLONG:
        return add_oblong(building, side.size, x);
    case CELL_AVERAGE:
        return network_average_pool(building->network, name_layer(building, "average", name), x,
                                    window);
    case CELL_MAX:
        return network_max_pool(building->network, name_layer(building, "max", name), x, window);
    case CELL_IDENTITY:
        break;
    }
    return x;
}

static uint32_t add_side(struct network *network, const struct cell_place *place, const char *side,
                         struct cell_side operation, const uint32_t *block)
{
    char prefix[48];
    snprintf(prefix, sizeof prefix, "%s_%s", place->name, side);
    const struct building building = {network, prefix, place->filters,
                                      place->reduces && operation.block < CELL_INPUTS ? 2 : 1};
    return add_operation(&building, operation, block[operation.block]);
}

uint32_t cell_add(struct network *network, const struct cell *cell, const struct cell_place *place,
                  const uint32_t input[CELL_INPUTS])
{
    char name[64];
    uint32_t block[CELL_INPUTS + CELL_MOST_BLOCKS] = {input[0], input[1]};
    uint32_t gathered[CELL_INPUTS + CELL_MOST_BLOCKS], count = 0;
    for (uint32_t i = 0; i < cell->blocks; i++) {
        uint32_t number = CELL_INPUTS + i;
        snprintf(name, sizeof name, "left%u", number);
        uint32_t left = add_side(network, place, name, cell->left[i], block);
        snprintf(name, sizeof name, "right%u", number);
        uint32_t right = add_side(network, place, name, cell->right[i], block);
        snprintf(name, sizeof name, "%s_add%u", place->name, number);
        block[number] = network_add(network, name, left, right, NETWORK_LINEAR);
    }
    for (uint32_t i = 0; i < CELL_INPUTS + cell->blocks; i++)
        if (cell->gathered >> i & 1)
            gathered[count++] = block[i];
    snprintf(name, sizeof name, "%s_concat", place->name);
    return network_concat(network, name, gathered, count);
}
