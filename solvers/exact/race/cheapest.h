#ifndef MEMPLAN_SOLVERS_EXACT_RACE_CHEAPEST_H
#define MEMPLAN_SOLVERS_EXACT_RACE_CHEAPEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/scratch.h"

/* Keeps a limited number of things of equal length: those with the least price. Of things with the
   same digest only the first is taken. The beam keeps the nodes of a level in it. */

struct exact_priced {
    double price;
    uint32_t place;
};

struct exact_cheapest {
    uint32_t room, count;
    size_t bytes;              /* of a thing */
    unsigned char *thing;      /* [room * bytes] */
    struct exact_priced *heap; /* [count] a heap: the price at half an index is no less than the
                                   price at the index */
    uint64_t *digest; /* [digests] hash table of all digests taken since exact_cheapest_empty; 0 for
                         none */
    uint32_t digests, taken; /* digests is a power of two */
    struct scratch memory;
};

/* most: how many things are offered at most between two calls of exact_cheapest_empty. Leaves
 *cheapest fit for exact_cheapest_clear even after an error. */
enum status exact_cheapest_fill(struct exact_cheapest *cheapest, uint32_t room, uint32_t most,
                                size_t bytes, struct error *error);
void exact_cheapest_clear(struct exact_cheapest *cheapest); /* all zeroes is fine */

/* Throws all things away. O(most). */
void exact_cheapest_empty(struct exact_cheapest *cheapest);

/* Whether a thing of this price would be kept. O(1). */
bool exact_cheapest_wants(const struct exact_cheapest *cheapest, double price);

/* Where to put a thing that would be kept, in place of the one with the highest price if there is
   no more room; NULL where a thing of this digest was added before. O(log room). */
void *exact_cheapest_add(struct exact_cheapest *cheapest, double price, uint64_t digest);

/* The thing at an index below count; the order means nothing. */
const void *exact_cheapest_at(const struct exact_cheapest *cheapest, uint32_t index);

#endif
