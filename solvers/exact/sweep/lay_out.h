#ifndef MEMPLAN_SOLVERS_EXACT_SWEEP_LAY_OUT_H
#define MEMPLAN_SOLVERS_EXACT_SWEEP_LAY_OUT_H

#include "solvers/exact/sweep/pieces.h"

/* A step of a sweep: the buffers of a block that end at a border of two sections lie side by side,
   and those that begin there take their place. */
struct sweep_block {
    const uint32_t *ending, *beginning;
    uint32_t endings, beginnings;
};

/* Fills offset[pieces] so that all blocks, which are in the order of the sweep, are kept. That has
   to be possible, and all sections have to be full. first[firsts] are the buffers of the section in
   which the sweep begins. O(blocks * live buffers^2) at most, mostly O(blocks * live buffers). */
enum status sweep_lay_out(const struct sweep_pieces *pieces, const uint32_t *first, uint32_t firsts,
                          const struct sweep_block *block, uint32_t blocks, uint64_t *offset,
                          struct error *error);

#endif
