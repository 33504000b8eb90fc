#ifndef MEMPLAN_SOLVERS_EXACT_RACE_SHELF_H
#define MEMPLAN_SOLVERS_EXACT_RACE_SHELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/scratch.h"

/* A shelf with room for some things of equal length, which keeps those with the least price. Of
   things with the same digest it takes the first only. */

struct exact_shelved {
    double price;
    uint32_t place;
};

struct exact_shelf {
    uint32_t room, count;
    size_t bytes;               /* of a thing */
    unsigned char *thing;       /* [room * bytes] */
    struct exact_shelved *heap; /* [count] of room: none is dearer than the one at half its index */
    uint64_t *digest;           /* [digests] hash table of all that were taken since the shelf was
                                   cleared; 0 for none */
    uint32_t digests, taken;    /* digests is a power of two */
    struct scratch memory;
};

/* most: how many things are offered at most between two calls of exact_shelf_empty. Leaves *shelf
   fit for exact_shelf_clear even after an error. */
enum status exact_shelf_fill(struct exact_shelf *shelf, uint32_t room, uint32_t most, size_t bytes,
                             struct error *error);
void exact_shelf_clear(struct exact_shelf *shelf); /* all zeroes is fine */

/* Throws all things away. O(most). */
void exact_shelf_empty(struct exact_shelf *shelf);

/* True where something of the price would be kept. O(1). */
bool exact_shelf_wants(const struct exact_shelf *shelf, double price);

/* Where to put a thing that the shelf wants, in place of the dearest if it is full; NULL where it
   has seen one of the digest. O(log room). */
void *exact_shelf_add(struct exact_shelf *shelf, double price, uint64_t digest);

/* One of the things, index < count, in no particular order. */
const void *exact_shelf_at(const struct exact_shelf *shelf, uint32_t index);

#endif
