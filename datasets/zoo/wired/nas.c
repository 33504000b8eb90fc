#include <stdio.h>

#include "datasets/network/layer.h"
#include "datasets/zoo/wired/cells.h"
#include "datasets/zoo/zoo.h"

/* Networks of searched cells as HMCOS (Wang et al. 2022) builds them: NASNet-A, AmoebaNet-A, DARTS
   and PNASNet-5, small ones for 32 x 32 and 224 x 224 images. A cell reads the two before it. */

enum { STEM_FILTERS = 32, MOST_CELLS = 20 };

/* The cells from stem to head: N for a normal one, R for one that halves the image. */
static const char cifar_cells[] = "NNNNNNRNNNNNNRNNNNNN";
static const char imagenet_cells[] = "RRNNNNRNNNNRNNNN";

struct nas {
    const struct cell_kind *kind;
    const char *cells;
    uint32_t image, stride, classes; /* stride: of the stem */
    uint32_t half_filters;           /* twice the filters of the first cell, one may have 12.5 */
};

static uint32_t add_squeeze(struct network *network, const char *name, uint32_t x, uint32_t filters)
{
    char layer[64];
    snprintf(layer, sizeof layer, "%s_relu", name);
    x = network_activate(network, layer, x, NETWORK_RELU);
    snprintf(layer, sizeof layer, "%s_conv", name);
    return network_conv(network, layer, x, network_filters(filters, network_same(1, 1)),
                        NETWORK_LINEAR);
}

/* Zeros at the right and below, then as much cut off at the left and above. */
static uint32_t add_shift(struct network *network, const char *name, uint32_t x)
{
    char layer[64];
    if (network->status)
        return 0;
    const uint64_t *shape = network_shape(network, x);
    uint32_t height = (uint32_t)shape[1], width = (uint32_t)shape[2];
    struct network_layer pad = {
        .name = name, .suffix = "_pad", .type = "Pad", .input = &x, .inputs = 1};
    network_layer_shape_like(network, &pad, x);
    pad.dimension[1]++;
    pad.dimension[2]++;
    snprintf(layer, sizeof layer, "%s_crop", name);
    return network_crop(network, layer, network_layer_add(network, &pad), height, width);
}

static uint32_t add_half(struct network *network, const char *name, uint32_t x, uint32_t filters)
{
    char layer[64];
    snprintf(layer, sizeof layer, "%s_pool", name);
    x = network_average_pool(network, layer, x, network_same(1, 2));
    snprintf(layer, sizeof layer, "%s_conv", name);
    return network_conv(network, layer, x, network_filters(filters, network_same(1, 1)),
                        NETWORK_LINEAR);
}

/* The cell before the last made as large as the last one, whose image may be half as large. */
static uint32_t add_fit(struct network *network, const char *name, uint32_t x, uint32_t like,
                        uint32_t filters)
{
    char layer[48];
    uint32_t half[2];
    if (network->status || network_shape(network, x)[1] == network_shape(network, like)[1])
        return add_squeeze(network, name, x, filters);
    snprintf(layer, sizeof layer, "%s_relu", name);
    x = network_activate(network, layer, x, NETWORK_RELU);
    snprintf(layer, sizeof layer, "%s_even", name);
    half[0] = add_half(network, layer, x, filters / 2);
    snprintf(layer, sizeof layer, "%s_odd", name);
    half[1] = add_half(network, layer, add_shift(network, layer, x), filters / 2);
    snprintf(layer, sizeof layer, "%s_concat", name);
    return network_concat(network, layer, half, 2);
}

/* block[0], the cell before the last, is 0 = the image where there was none. */
static uint32_t add_cell(struct network *network, const struct cell *cell,
                         const struct cell_place *place, const uint32_t block[CELL_INPUTS])
{
    char name[32];
    snprintf(name, sizeof name, "%s_current", place->name);
    uint32_t current = add_squeeze(network, name, block[1], place->filters), previous = current;
    snprintf(name, sizeof name, "%s_previous", place->name);
    if (block[0])
        previous = add_fit(network, name, block[0], current, place->filters);
    return cell_add(network, cell, place, (const uint32_t[]){previous, current});
}

static uint32_t add_cells(struct network *network, const struct nas *nas, uint32_t x)
{
    uint32_t block[CELL_INPUTS] = {0, x}, half_filters = nas->half_filters;
    char name[16];
    for (uint32_t i = 0; nas->cells[i]; i++) {
        bool reduces = nas->cells[i] == 'R';
        half_filters *= reduces ? 2 : 1;
        snprintf(name, sizeof name, "cell%u", i + 1);
        const struct cell *cell = reduces ? &nas->kind->reduction : &nas->kind->normal;
        x = add_cell(network, cell, &(struct cell_place){name, half_filters / 2, reduces}, block);
        block[0] = block[1];
        block[1] = x;
    }
    return x;
}

static uint32_t build_nas(struct network *network, const void *variant)
{
    const struct nas *nas = variant;
    uint32_t x = network_image(network, "image", nas->image, nas->image, 3);
    x = network_conv(network, "stem", x,
                     network_filters(STEM_FILTERS, network_same(3, nas->stride)), NETWORK_LINEAR);
    x = add_cells(network, nas, x);
    x = network_activate(network, "head_relu", x, NETWORK_RELU);
    x = network_global_average_pool(network, "head_pool", x);
    return network_dense(network, "head", x, nas->classes, NETWORK_LINEAR);
}

/* A normal cell alone, whose newer input is kept for the next cell; maps as in the cell that
   Serenity (Ahn et al. 2020) measures. */
static uint32_t build_cell(struct network *network, const void *variant)
{
    enum { FILTERS = 96, SIDE = 14 };
    const struct cell_kind *kind = variant;
    const struct cell_place place = {"cell", FILTERS, false};
    const uint32_t block[CELL_INPUTS] = {
        network_input(network, "previous", SIDE, SIDE, 4 * FILTERS),
        network_input(network, "current", SIDE, SIDE, 4 * FILTERS),
    };
    uint32_t current = add_squeeze(network, "cell_current", block[1], FILTERS);
    uint32_t previous = add_squeeze(network, "cell_previous", block[0], FILTERS);
    network_output(network, block[1]);
    return cell_add(network, &kind->normal, &place, (const uint32_t[]){previous, current});
}

static const struct nas variants[] = {
    {&cell_nasnet, cifar_cells, 32, 1, 100, 64},
    {&cell_nasnet, imagenet_cells, 224, 2, 1000, 22},
    {&cell_amoebanet, cifar_cells, 32, 1, 100, 72},
    {&cell_amoebanet, imagenet_cells, 224, 2, 1000, 25},
    {&cell_darts, cifar_cells, 32, 1, 100, 72},
    {&cell_darts, imagenet_cells, 224, 2, 1000, 24},
    {&cell_pnas, cifar_cells, 32, 1, 100, 72},
    {&cell_pnas, imagenet_cells, 224, 2, 1000, 24},
};

static const struct zoo_network rows[] = {
    {"wired/nasnet_cifar", "NASNet-A, 20 cells, 32 x 32 (Zoph et al. 2018)", false, 0, build_nas,
     &variants[0]},
    {"wired/nasnet_imagenet", "NASNet-A, 16 cells, 224 x 224 (Zoph et al. 2018)", false, ZOO_IMAGE,
     build_nas, &variants[1]},
    {"wired/amoebanet_cifar", "AmoebaNet-A, 20 cells, 32 x 32 (Real et al. 2019)", false, 0,
     build_nas, &variants[2]},
    {"wired/amoebanet_imagenet", "AmoebaNet-A, 16 cells, 224 x 224 (Real et al. 2019)", false,
     ZOO_IMAGE, build_nas, &variants[3]},
    {"wired/darts_cifar", "DARTS, 20 cells, 32 x 32 (Liu et al. 2019)", false, 0, build_nas,
     &variants[4]},
    {"wired/darts_imagenet", "DARTS, 16 cells, 224 x 224 (Liu et al. 2019)", false, ZOO_IMAGE,
     build_nas, &variants[5]},
    {"wired/pnas_cifar", "PNASNet-5, 20 cells, 32 x 32 (Liu et al. 2018)", false, 0, build_nas,
     &variants[6]},
    {"wired/pnas_imagenet", "PNASNet-5, 16 cells, 224 x 224 (Liu et al. 2018)", false, ZOO_IMAGE,
     build_nas, &variants[7]},
    {"wired/darts_cell", "One DARTS cell, its inputs in the arena (Liu et al. 2019)", false, 0,
     build_cell, &cell_darts},
};
ZOO_DEFINE(nas, rows);
