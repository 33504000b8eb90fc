#ifndef MEMPLAN_SOLVERS_WINDOW_PLACES_H
#define MEMPLAN_SOLVERS_WINDOW_PLACES_H

#include <stdbool.h>

#include "core/scratch.h"
#include "core/sort.h"

/* Where a buffer can go among others that are in its way, each with what driving it out costs.
   Zero-initialise it. */
struct places {
    struct sort_columns begin, end; /* [count] where the others begin and end, and which they are */
    struct sort_columns scratch;    /* [capacity] */
    double *cost;                   /* [count] */
    uint32_t count, capacity;
    struct scratch memory;
};

/* The cost of what cannot be driven out. */
#define PLACES_FIXED (-1.0)

/* Forgets all, and makes room for the buffers asked for. */
enum status places_begin(struct places *places, uint32_t count, struct error *error);

/* Adds a buffer at bytes [begin, end). O(1). */
void places_add(struct places *places, uint64_t begin, uint64_t end, double cost);

struct places_goal {
    uint64_t size, alignment;
    uint64_t capacity_bytes; /* where it ends at the latest */
};

/* The lowest of the offsets at which what is in the way costs least; false where there is none.
   Once after each begin. O(count). */
bool places_find(struct places *places, const struct places_goal *goal, uint64_t *offset);

void places_free(struct places *places);

#endif
