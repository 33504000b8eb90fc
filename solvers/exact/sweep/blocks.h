#ifndef MEMPLAN_SOLVERS_EXACT_SWEEP_BLOCKS_H
#define MEMPLAN_SOLVERS_EXACT_SWEEP_BLOCKS_H

#include <stdint.h>

/* Which buffers that end at a border may leave their place to which that begin there: sets of both
   with the same sum. */

enum { BLOCKS_MOST_ITEMS = 64, BLOCKS_MOST_SETS = 4200, BLOCKS_MOST = 24 };

/* Something that is taken as a whole, with bits of its own in a mask. */
struct block_item {
    uint64_t size, bits;
};
struct block_set {
    uint64_t sum, bits;
};

/* Sets that hold at least one and not all of count <= 64 items, into set[BLOCKS_MOST_SETS]: all
   sets of few items; of more those of one or two, and of all but one or two. Returns how many. */
uint32_t blocks_list(const struct block_item *item, uint32_t count, struct block_set *set);

/* Sorts the sets by their sums and leaves each once. Returns how many there are. */
uint32_t blocks_sort(struct block_set *set, uint32_t sets);

struct block {
    uint64_t ending, beginning; /* bits */
};

/* Pairs of sets with the same sum, of which the first has all bits `within`; those of the most
   buffers first. beginning[beginnings] is sorted. Returns how many there are in
   block[BLOCKS_MOST]. */
uint32_t blocks_match(const struct block_set *ending, uint32_t endings, uint64_t within,
                      const struct block_set *beginning, uint32_t beginnings, struct block *block);

#endif
