#ifndef MEMPLAN_SOLVERS_EXACT_RACE_BLOCKS_H
#define MEMPLAN_SOLVERS_EXACT_RACE_BLOCKS_H

#include "solvers/exact/model/grid.h"

/* Which buffers are left in each block of sections, and what is known of its sections. */

/* What a pass over a block finds out, which the trail gives back. */
struct exact_saved_block {
    unsigned char found[3 * EXACT_BLOCK_BYTES]; /* all numbers but EXACT_BYTES_LEFT */
    uint32_t block;
};

struct exact_blocks {
    const struct exact_grid *grid;
    uint32_t *order;   /* [entries] of each block: those that are left, nearly in order of their
                          lowest offsets, then those that were placed, the last one first */
    uint32_t *left;    /* [blocks] how many entries are left */
    void *release;     /* [most entries of a block] scratch of a pass, in the order */
    void *found;       /* [blocks] the numbers of their sections, struct block of lanes.h */
    uint32_t *touched; /* [touched_count] blocks to look at, where is_touched still says so */
    bool *is_touched;  /* [blocks] */
    uint32_t touched_count; /* at most 2 * blocks */
    uint32_t refused_last;  /* the block whose section refused a node last */
    uint64_t *serial;       /* [blocks] of the mark since which it has been saved */
    void *memory;           /* what found is aligned in */
};

/* Makes room for the grid, which must outlive the blocks, in blocks that are cleared or of another
   grid. */
enum status exact_blocks_fit(struct exact_blocks *blocks, const struct exact_grid *grid,
                             struct error *error);
void exact_blocks_clear(struct exact_blocks *blocks);

/* All buffers are left, and all blocks touched. */
void exact_blocks_start(struct exact_blocks *blocks);

/* Takes a buffer that was placed out of its blocks, or gives it back, the last one first. O(entries
   of its blocks), and O(its blocks). */
void exact_blocks_take(struct exact_blocks *blocks, uint32_t buffer);
void exact_blocks_give_back(struct exact_blocks *blocks, uint32_t buffer);

/* Blocks to be looked at: those of a buffer that was raised or placed, one, or none any more. */
void exact_blocks_touch(struct exact_blocks *blocks, uint32_t buffer);
void exact_blocks_touch_one(struct exact_blocks *blocks, uint32_t block);
void exact_blocks_forget_touches(struct exact_blocks *blocks);

void exact_blocks_restore(struct exact_blocks *blocks, const struct exact_saved_block *saved);

/* What is known of a section. */
enum exact_number {
    EXACT_BYTES_LEFT, /* of the buffers left, in units */
    EXACT_FLOOR,      /* least lowest offset of those left; UINT64_MAX without any */
    EXACT_SPAN,       /* where the last of them ends at the earliest */
    EXACT_CANDIDATES, /* how many of them can be the lowest */
};

/* Of sections begin .. end - 1, to number[begin] .. number[end - 1], and others of their blocks:
   number has room for all sections of all blocks. */
void exact_blocks_read(const struct exact_blocks *blocks, enum exact_number what, uint32_t begin,
                       uint32_t end, uint64_t *number);

#endif
