#ifndef MEMPLAN_SOLVERS_EXACT_SWEEP_LAY_OUT_H
#define MEMPLAN_SOLVERS_EXACT_SWEEP_LAY_OUT_H

#include "solvers/exact/sweep/pieces.h"

/* A step of a sweep: the buffers of a block that end at a border of two sections lie side by side,
   and those that begin there take their place. */
struct sweep_block {
    const uint32_t *ending, *beginning;
    uint32_t endings, beginnings;
};

/* Offsets that keep all blocks, in the order of the sweep, into offset[pieces]. first[firsts]: the
   buffers of the section in which it begins. All blocks can be kept, and all sections are full.
   O(blocks * live buffers), times the live buffers at most. */
enum status sweep_lay_out(const struct sweep_pieces *pieces, const uint32_t *first, uint32_t firsts,
                          const struct sweep_block *block, uint32_t blocks, uint64_t *offset,
                          struct error *error);

#endif
