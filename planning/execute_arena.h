#ifndef MEMPLAN_PLANNING_EXECUTE_ARENA_H
#define MEMPLAN_PLANNING_EXECUTE_ARENA_H

#include "planning/placement.h"

/* The bytes of an arena, as far as a placement tells them apart: runs of bytes that belong to the
   same tensors are one cell, and a cell knows who wrote it last. */

struct execute_cell {
    uint64_t version; /* counts all writes from 1 on; 0 for never written */
    uint32_t tensor;
};

/* Cells first .. end - 1. */
struct execute_cells {
    uint32_t first, end;
};

struct execute_arena {
    uint32_t *first;           /* [tensors + 1] its runs; none for one without a place */
    struct execute_cells *run; /* one for each extent */
    struct execute_cell *cell;
    uint64_t version; /* of the last write */
};

/* Fails with STATUS_BAD_INPUT where a tensor that needs a place has none, ends beyond 2^64, or has
   extents that share bytes or do not add up to its size. Leaves *arena fit for execute_arena_free.
   O(n log n) for n tensors and extents, and the cells of split tensors. */
enum status execute_arena_create(struct execute_arena *arena, const struct graph *graph,
                                 const struct placement *placement, struct error *error);
void execute_arena_free(struct execute_arena *arena);

bool execute_arena_has(const struct execute_arena *arena, uint32_t tensor);

/* Writes all bytes of a tensor; returns the version that they hold from now on. O(its cells). */
uint64_t execute_arena_write(struct execute_arena *arena, uint32_t tensor);

/* The first cell of the tensor that holds neither version nor, where pardoned is not 0, that one;
   NULL if there is none. O(its cells). */
const struct execute_cell *execute_arena_damage(const struct execute_arena *arena, uint32_t tensor,
                                                uint64_t version, uint64_t pardoned);

#endif
