#ifndef MEMPLAN_SOLVERS_EXACT_RACE_BLOCKS_H
#define MEMPLAN_SOLVERS_EXACT_RACE_BLOCKS_H

#include "solvers/exact/model/grid.h"

/* For each block of sections, the buffers that are left, that is, not placed yet, and what is known
   of its sections. */

/* What was known of a block before a pass over it, saved on the trail so that the search can go
   back. */
struct exact_saved_block {
    unsigned char found[3 * EXACT_BLOCK_BYTES]; /* all numbers but EXACT_BYTES_LEFT */
    uint32_t block;
};

struct exact_blocks {
    const struct exact_grid *grid;
    uint32_t *order; /* [entries] of each block: the entries that are left, nearly in order of their
                        lowest offsets, then those that were placed, the last one first */
    uint32_t *left;  /* [blocks] how many entries are left */
    void *release;   /* [most entries of a block] scratch of a pass: the lowest address of each
                        entry, in the order */
    void *found;     /* [blocks] the numbers of their sections, struct block of lanes.h */
    uint32_t *touched; /* [touched_count] blocks to look at, if is_touched is still set for them */
    bool *is_touched;  /* [blocks] */
    bool *is_changed;  /* [blocks] there was a pass over it since the borders were looked at last,
                          see handover.h */
    uint32_t touched_count; /* at most 2 * blocks */
    uint32_t refused_last;  /* the block whose section refused a node last */
    uint64_t
        *serial; /* [blocks] serial number of the latest mark after which the block was saved */
    struct scratch taken; /* of all arrays */
};

/* Makes room for the grid, which must outlive the blocks. The blocks have been cleared, or made for
   another grid. */
enum status exact_blocks_fit(struct exact_blocks *blocks, const struct exact_grid *grid,
                             struct error *error);
void exact_blocks_clear(struct exact_blocks *blocks);

/* Begins a search: all buffers are left, and all blocks have to be looked at. */
void exact_blocks_start(struct exact_blocks *blocks);

/* Takes a buffer that was placed out of its blocks, and gives it back when the search goes back;
   what was taken last is given back first. O(entries of its blocks), and O(its blocks). */
void exact_blocks_take(struct exact_blocks *blocks, uint32_t buffer);
void exact_blocks_give_back(struct exact_blocks *blocks, uint32_t buffer);

/* Notes which blocks have to be looked at: those of a buffer that was raised or placed; one block;
   no block any more. */
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

/* Reads a number of each of the sections begin .. end - 1 to number[begin] .. number[end - 1]. It
   writes the numbers of whole blocks, so number has room for all sections of all blocks. */
void exact_blocks_read(const struct exact_blocks *blocks, enum exact_number what, uint32_t begin,
                       uint32_t end, uint64_t *number);

#endif
