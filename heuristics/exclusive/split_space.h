#ifndef MEMPLAN_HEURISTICS_EXCLUSIVE_SPLIT_SPACE_H
#define MEMPLAN_HEURISTICS_EXCLUSIVE_SPLIT_SPACE_H

#include <stdbool.h>

#include "planning/arena/gaps.h"
#include "planning/plan/extents.h"

/* The memory that buffers were given so far, [0, end), divided into cells by the number of buffers
   that use them. The next buffer takes bytes from it in as many extents as it needs. */

/* A request for `size` bytes outside of the taken intervals, which are sorted by begin and may
   overlap each other, in pieces that begin at multiples of the alignment. */
struct split_request {
    const struct interval *taken; /* [count] */
    uint32_t count;
    uint64_t size, alignment;
};

struct split_cell {
    uint64_t begin, end;
    uint8_t users; /* number of buffers that use it: 0, 1, or 2 for two and more */
};

struct split_space {
    struct split_cell *cell; /* [cells] of [0, end), ascending; neighbours differ in users */
    struct split_cell *next; /* [cells] the cells after the next change */
    struct split_cell *free; /* [frees] parts of cells outside of what is taken */
    /* [pieces] the bytes found for the buffer, ascending, not touching each other */
    struct extent *piece;
    uint32_t cells, frees, pieces;
    uint64_t end;
    size_t cell_capacity, next_capacity, free_capacity, piece_capacity;
};

void split_space_free(struct split_space *space);

/* Finds the pieces for a request. Bytes that at most one buffer uses come first, then those that
   several use, each from low to high and with aligned beginnings; last new memory behind the end,
   which is aligned unless it continues a piece. STATUS_BAD_INPUT where that would end beyond 2^64.
   O(cells + taken). */
enum status split_space_find(struct split_space *space, const struct split_request *request,
                             struct error *error);

/* Makes [offset, offset + bytes) the only piece. */
enum status split_space_set(struct split_space *space, uint64_t offset, uint64_t bytes,
                            struct error *error);

/* Counts the buffer as a user of the bytes of all pieces. O(cells + pieces). */
enum status split_space_use(struct split_space *space, struct error *error);

#endif
