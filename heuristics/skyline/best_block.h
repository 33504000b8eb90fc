#ifndef MEMPLAN_HEURISTICS_SKYLINE_BEST_BLOCK_H
#define MEMPLAN_HEURISTICS_SKYLINE_BEST_BLOCK_H

#include <stdint.h>

#include "core/scratch.h"

/* Blocks with a lifetime and a rank, all different, as points (lower, upper) of a k-d tree: finds
   the best block inside an interval in O(sqrt(blocks)), mostly far less. */
struct skyline_block {
    uint32_t lower, upper, rank, buffer;
};

struct skyline_blocks;

/* The ranks are 0 .. count - 1. Rearranges block[count], which has to outlive the tree. O(count log
   count). */
enum status skyline_blocks_create(struct skyline_block *block, uint32_t count,
                                  struct skyline_blocks **blocks, struct scratch *scratch,
                                  struct error *error);

/* Removes and returns the block of least rank with from <= lower and upper <= to; NULL where there
   is none. */
const struct skyline_block *skyline_blocks_take(struct skyline_blocks *blocks, uint32_t from,
                                                uint32_t to);

#endif
