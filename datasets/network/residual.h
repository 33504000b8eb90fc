#ifndef MEMPLAN_DATASETS_NETWORK_RESIDUAL_H
#define MEMPLAN_DATASETS_NETWORK_RESIDUAL_H

#include "datasets/network/conv.h"
#include "datasets/network/elementwise.h"
#include "datasets/network/shape.h"

/* Residual blocks of He et al. (2015), Table 1, for every network of the zoo made of them. */

enum { RESIDUAL_STAGES = 4 };

struct residual {
    uint32_t blocks[RESIDUAL_STAGES];
    bool bottleneck;  /* 1x1, 3x3, 1x1 to four times the channels; else 3x3, 3x3 */
    bool late_stride; /* the 3x3 of a bottleneck halves the image, not the first 1x1 */
};

/* A block of a stage, both from 0. */
struct residual_position {
    uint32_t stage, block;
};

/* The image, convolution 7x7 and pooling. */
uint32_t residual_stem(struct network *network);

/* The whole block; or its two sides apart: what is added to the convolutions'
   output (x itself, or x in the new shape) and these with that added. */
uint32_t residual_block(struct network *network, const struct residual *residual,
                        struct residual_position at, uint32_t x);
uint32_t residual_shortcut(struct network *network, const struct residual *residual,
                           struct residual_position at, uint32_t x);
uint32_t residual_convolutions(struct network *network, const struct residual *residual,
                               struct residual_position at, uint32_t x, uint32_t shortcut);

#endif
