#ifndef MEMPLAN_SOLVERS_EXACT_RACE_SHELF_H
#define MEMPLAN_SOLVERS_EXACT_RACE_SHELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/scratch.h"

/* Keeps a limited number of things of equal length: those with the least price. Of things with the
   same digest it takes only the first. */

struct exact_shelved {
    double price;
    uint32_t place;
};

struct exact_shelf {
    uint32_t room, count;
    size_t bytes;               /* of a thing */
    unsigned char *thing;       /* [room * bytes] */
    struct exact_shelved *heap; /* [count] a heap: the price at half an index is no less than the
                                   price at the index */
    uint64_t
        *digest; /* [digests] hash table of all digests taken since exact_shelf_empty; 0 for none */
    uint32_t digests, taken; /* digests is a power of two */
    struct scratch memory;
};

/* most: how many things are offered at most between two calls of exact_shelf_empty. Leaves *shelf
   fit for exact_shelf_clear even after an error. */
enum status exact_shelf_fill(struct exact_shelf *shelf, uint32_t room, uint32_t most, size_t bytes,
                             struct error *error);
void exact_shelf_clear(struct exact_shelf *shelf); /* all zeroes is fine */

/* Throws all things away. O(most). */
void exact_shelf_empty(struct exact_shelf *shelf);

/* Whether a thing of this price would be kept. O(1). */
bool exact_shelf_wants(const struct exact_shelf *shelf, double price);

/* Where to put a thing that the shelf wants, in place of the one with the highest price if it is
   full; NULL where it has had a thing of this digest. O(log room). */
void *exact_shelf_add(struct exact_shelf *shelf, double price, uint64_t digest);

/* The thing at an index below count; the order means nothing. */
const void *exact_shelf_at(const struct exact_shelf *shelf, uint32_t index);

#endif
