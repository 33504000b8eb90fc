#ifndef MEMPLAN_SOLVERS_EXACT_SWEEP_BLOCKS_H
#define MEMPLAN_SOLVERS_EXACT_SWEEP_BLOCKS_H

#include <stdint.h>

/* Blocks: some of the buffers that end at a border leave their place to some of those that begin
   there, so that both sets have the same sum of sizes. */

enum { BLOCKS_MOST_ITEMS = 64, BLOCKS_MOST_SETS = 4200, BLOCKS_MOST = 24 };

/* Something that is taken as a whole, with bits of its own in a mask. */
struct block_item {
    uint64_t size, bits;
};
struct block_set {
    uint64_t sum, bits;
};

/* Lists sets that hold at least one and not all of count <= 64 items into set[BLOCKS_MOST_SETS] and
   returns how many. Where there are too many for that, they are those of one or two items and of
   all but one or two. */
uint32_t blocks_list(const struct block_item *item, uint32_t count, struct block_set *set);

/* Sorts the sets by their sums and drops duplicates. Returns how many are left. */
uint32_t blocks_sort(struct block_set *set, uint32_t sets);

struct block {
    uint64_t ending, beginning; /* bits */
};

/* Fills block[BLOCKS_MOST] with pairs of sets of the same sum, of which the first has all bits
   `within`; those of the most buffers come first. beginning[beginnings] is sorted. Returns how many
   there are. */
uint32_t blocks_match(const struct block_set *ending, uint32_t endings, uint64_t within,
                      const struct block_set *beginning, uint32_t beginnings, struct block *block);

#endif
