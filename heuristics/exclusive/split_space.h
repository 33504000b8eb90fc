#ifndef MEMPLAN_HEURISTICS_EXCLUSIVE_SPLIT_SPACE_H
#define MEMPLAN_HEURISTICS_EXCLUSIVE_SPLIT_SPACE_H

#include <stdbool.h>

#include "planning/arena/gaps.h"
#include "planning/plan/extents.h"

/* Memory that buffers were given so far, [0, end), told apart by how many buffers use it, and from
   which the next buffer takes whatever bytes it may have, in as many extents as it needs. */

/* What is asked: size bytes outside of the taken intervals, which are sorted by begin and may
   overlap each other, in pieces that begin at multiples of alignment. */
struct split_request {
    const struct interval *taken; /* [count] */
    uint32_t count;
    uint64_t size, alignment;
};

struct split_cell {
    uint64_t begin, end;
    uint8_t users; /* 0, 1, or 2 for more */
};

struct split_space {
    struct split_cell *cell; /* [cells] of [0, end), ascending; neighbours differ in users */
    struct split_cell *next; /* [cells] what becomes of them */
    struct split_cell *free; /* [frees] without what is taken */
    struct extent *piece;    /* [pieces] ascending, apart */
    uint32_t cells, frees, pieces;
    uint64_t end;
    size_t cell_capacity, next_capacity, free_capacity, piece_capacity;
};

void split_space_free(struct split_space *space);

/* Finds the pieces for a request: first bytes that at most one buffer uses, then those that several
   do, each from low to high and each piece aligned, then new memory behind the end, aligned unless
   it goes on where a piece ended. STATUS_BAD_INPUT where that would end beyond 2^64. O(cells +
   taken). */
enum status split_space_find(struct split_space *space, const struct split_request *request,
                             struct error *error);

/* The pieces become the one of [offset, offset + bytes). */
enum status split_space_set(struct split_space *space, uint64_t offset, uint64_t bytes,
                            struct error *error);

/* A buffer uses the pieces. O(cells + pieces). */
enum status split_space_use(struct split_space *space, struct error *error);

#endif
