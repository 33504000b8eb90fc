#ifndef MEMPLAN_PLANNING_EXECUTE_ARENA_H
#define MEMPLAN_PLANNING_EXECUTE_ARENA_H

#include "core/scratch.h"
#include "planning/execute/execution.h"
#include "planning/plan/placement.h"

/* The bytes of an arena, in cells: a run of bytes that belong to the same tensors is one cell,
   which knows the tensor that was written into it last. */

/* Cells first .. end - 1. */
struct execute_cells {
    uint32_t first, end;
};

struct execute_arena {
    uint32_t *first;           /* [tensors + 1] into run; no runs for a tensor without a place */
    struct execute_cells *run; /* one for each extent */
    uint64_t *version; /* [cells] the number of the last write there, counted from 1; 0 for none */
    uint32_t *writer;  /* [cells] the tensor that was written then */
    uint64_t *border;  /* cell i is [border[i], border[i + 1]) */
    uint64_t writes;   /* the last version */
    uint32_t cells;
};

/* What a tensor's name stands for while a path is run: what one write left in the place of one
   tensor. The result of an If stands for what the taken branch yielded, or for its copy in the
   place of the result. */
struct execute_value {
    uint32_t tensor;  /* GRAPH_NONE outside the arena, where nothing can be damaged */
    uint64_t bytes;   /* the first ones in that place */
    uint64_t version; /* 0 before anything was written */
};

/* The place of an If's result is large enough for the largest value that a branch yields
   (value_bytes.h). Where the place of a tensor is wrong by itself, *execution says so and there is
   no arena. The arena lives as long as the scratch. O(n log n) for n tensors and extents, and the
   cells of split tensors. */
enum status execute_arena_create(struct execute_arena *arena, const struct graph *graph,
                                 const struct placement *placement, struct execution *execution,
                                 struct scratch *scratch, struct error *error);

/* Whether the tensor has a place in the arena. O(1). */
bool execute_arena_has(const struct execute_arena *arena, uint32_t tensor);

/* Writes the first bytes in the place of a tensor and returns the version that they hold from now
   on. A cell that is written in part counts as written whole: no border of a tensor is inside a
   cell, so every tensor that has some bytes of the cell has its first byte. O(its cells). */
uint64_t execute_arena_write(struct execute_arena *arena, uint32_t tensor, uint64_t bytes);

/* Goes over the cells that hold the first bytes of a place, run by run. */
struct execute_cell_walk {
    const struct execute_arena *arena;
    uint32_t run, end_run;
    uint64_t bytes; /* that are still to be gone over */
};
struct execute_cell_walk execute_arena_begin(const struct execute_arena *arena, uint32_t tensor,
                                             uint64_t bytes);
bool execute_arena_next(struct execute_cell_walk *walk, struct execute_cells *cells);

/* Whether all cells of the value, which is inside the arena, hold its version. Cells that hold the
   version `pardoned`, unless that is 0, are right too. *cell is the first that is wrong. O(its
   cells). */
bool execute_arena_holds(const struct execute_arena *arena, struct execute_value value,
                         uint64_t pardoned, uint32_t *cell);

#endif
