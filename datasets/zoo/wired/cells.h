#ifndef MEMPLAN_DATASETS_ZOO_WIRED_CELLS_H
#define MEMPLAN_DATASETS_ZOO_WIRED_CELLS_H

#include "datasets/network/conv.h"
#include "datasets/network/elementwise.h"
#include "datasets/network/shape.h"

/* Cells found by neural architecture search: a few blocks, each of which adds what two operations
   make of earlier blocks. Blocks 0 and 1 are the cell's inputs. */

enum cell_operation {
    CELL_IDENTITY,
    CELL_SEPARABLE, /* ReLU, depthwise and pointwise convolution, twice */
    CELL_DILATED,   /* the same once */
    CELL_AVERAGE,
    CELL_MAX,
    CELL_OBLONG, /* 1x7, then 7x1 */
};

enum { CELL_MOST_BLOCKS = 5, CELL_INPUTS = 2 };

struct cell_side {
    enum cell_operation operation;
    uint32_t size;  /* of its window */
    uint32_t block; /* that it reads */
};

struct cell {
    struct cell_side left[CELL_MOST_BLOCKS], right[CELL_MOST_BLOCKS];
    uint32_t blocks;   /* without the inputs */
    unsigned gathered; /* bit i: block i is part of the output */
};

/* Where a cell stands. */
struct cell_place {
    const char *name;
    uint32_t filters;
    bool reduces; /* operations on the inputs halve the image */
};

/* The cell on its two inputs, which have `filters` channels; returns the joined blocks. */
uint32_t cell_add(struct network *network, const struct cell *cell, const struct cell_place *place,
                  const uint32_t input[CELL_INPUTS]);

/* What the published cells are called: "darts", "nasnet", "amoebanet", "pnas". */
struct cell_kind {
    const char *name;
    struct cell normal, reduction;
};

extern const struct cell_kind cell_darts, cell_nasnet, cell_amoebanet, cell_pnas;

#endif
