#ifndef MEMPLAN_SOLVERS_EXACT_RACE_BLOCKS_H
#define MEMPLAN_SOLVERS_EXACT_RACE_BLOCKS_H

#include "solvers/exact/model/grid.h"

/* What sections say of the buffers that are left in them. These lie on top of each other, so that
   they are the jobs of one machine with release dates: in order of these, each begins no sooner
   than at its own and at the end of those before. Blocks of sections do this in one pass. */

struct exact_state;

/* What a pass finds out, which the trail gives back. */
struct exact_saved_block {
    unsigned char found[3 * EXACT_BLOCK_BYTES];
    uint32_t block;
};

struct exact_blocks {
    const struct exact_grid *grid;
    uint32_t *order; /* [entries] of a block those that are left first, about by release */
    uint32_t *left;  /* [blocks] how many are left */
    void *release;   /* [entries of a block] scratch, of those in order */
    void *found;     /* [blocks] numbers of their sections, see solvers/exact/race/blocks_lanes.h */
    uint32_t *touched; /* [touches] blocks to look at, where is_touched; at most 2 * blocks */
    bool *is_touched;  /* [blocks] */
    uint32_t touches;
    uint32_t refused_last; /* block */
    uint64_t *serial;      /* [blocks] when saved last */
    void *memory;          /* of found */
};

/* Makes room for the grid, which must outlive the blocks, in blocks cleared or of another grid. */
enum status exact_blocks_fit(struct exact_blocks *blocks, const struct exact_grid *grid,
                             struct error *error);
void exact_blocks_clear(struct exact_blocks *blocks);

/* All buffers are left, and all blocks touched. */
void exact_blocks_start(struct exact_blocks *blocks);

/* Takes a buffer that was placed out of the lists, or back, the last one first. */
void exact_blocks_take(struct exact_blocks *blocks, uint32_t buffer);
void exact_blocks_give_back(struct exact_blocks *blocks, uint32_t buffer);

/* The buffer was raised or placed. */
void exact_blocks_touch(struct exact_blocks *blocks, uint32_t buffer);
void exact_blocks_drop(struct exact_blocks *blocks); /* touches */

/* Looks at all blocks that are touched, and raises what cannot be the lowest of a section above one
   that can. False where there is no plan. O(entries) for each block. */
bool exact_blocks_refresh(struct exact_state *state);
void exact_blocks_restore(struct exact_blocks *blocks, const struct exact_saved_block *saved);

/* What is known of a section. */
enum exact_number {
    EXACT_BYTES_LEFT, /* of those left */
    EXACT_FLOOR,      /* least offset of those left; UINT64_MAX without any */
    EXACT_SPAN,       /* all that are left end no lower */
    EXACT_CANDIDATES, /* how many of them can be the lowest */
};

/* Of sections begin .. end - 1, to number[begin] .. number[end - 1], and others of their blocks. */
void exact_blocks_read(const struct exact_blocks *blocks, enum exact_number what, uint32_t begin,
                       uint32_t end, uint64_t *number);

#endif
