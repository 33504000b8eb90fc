#ifndef MEMPLAN_SOLVERS_WINDOW_PLACES_H
#define MEMPLAN_SOLVERS_WINDOW_PLACES_H

#include <stdbool.h>

#include "core/scratch.h"
#include "core/sort.h"

/* The buffers in the way of a buffer that is to be placed, each with the cost of driving it out.
   Zero-initialise it. */
struct places {
    struct sort_columns begin,
        end; /* [count] where these buffers begin and end, and their positions in cost */
    struct sort_columns scratch; /* [capacity] */
    double *cost;                /* [count] */
    uint32_t count, capacity;
    struct scratch memory;
};

/* The cost of a buffer that cannot be driven out. */
#define PLACES_FIXED (-1.0)

/* Forgets all buffers and makes room for `count` new ones. */
enum status places_begin(struct places *places, uint32_t count, struct error *error);

/* Adds a buffer at bytes [begin, end). O(1). */
void places_add(struct places *places, uint64_t begin, uint64_t end, double cost);

struct places_goal {
    uint64_t size, alignment;
    uint64_t capacity_bytes; /* it must not end above this */
};

/* Finds the lowest of the offsets at which the buffers in the way cost least; false where there is
   none. To be called once after each places_begin. O(count). */
bool places_find(struct places *places, const struct places_goal *goal, uint64_t *offset);

void places_free(struct places *places);

#endif
