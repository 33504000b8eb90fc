#ifndef MEMPLAN_SOLVERS_EXACT_MODEL_GRID_H
#define MEMPLAN_SOLVERS_EXACT_MODEL_GRID_H

#include "solvers/exact/model/model.h"

/* Neighbouring sections in blocks, which the search looks at as one: a number of each section
   makes a vector. The narrower the numbers may be, the more sections are in a block. */
struct exact_grid {
    const struct exact_model *model;
    uint32_t lanes; /* sections of a block */
    uint32_t blocks;
    uint32_t entries;      /* pieces in blocks: those of piece p from entry[p] on, by block */
    uint32_t *entry;       /* [pieces] */
    uint32_t *begin, *end; /* [pieces] blocks begin .. end - 1 */
    uint32_t *first;       /* [blocks + 1] into list */
    uint32_t *list;        /* [entries] of a block */
    struct exact_job *job; /* [entries] */
    void *inside; /* [entries * EXACT_BLOCK_BYTES] a vector each: -1 in the piece's sections */
};

/* A piece, as a block sees it. */
struct exact_job {
    uint64_t lower, width;
    uint32_t buffer, piece;
};

enum { EXACT_BLOCK_BYTES = 32, EXACT_MOST_LANES = 16 };

/* How many sections a block may have where the capacity is so many units: 16, 8 or 4. */
uint32_t exact_grid_lanes(const struct exact_model *model, uint64_t capacity);

/* The model stays the caller's and must outlive the grid. O(pieces + entries). */
enum status exact_grid_create(const struct exact_model *model, uint32_t lanes,
                              struct exact_grid **grid, struct error *error);
void exact_grid_free(struct exact_grid *grid); /* NULL is fine */

#endif
