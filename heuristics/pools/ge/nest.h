#ifndef MEMPLAN_HEURISTICS_POOLS_GE_NEST_H
#define MEMPLAN_HEURISTICS_POOLS_GE_NEST_H

#include "heuristics/pools/common/pools.h"

/* The second level of CANN GE's BlockMemAssigner (ReuseBlocksByLifeTime, memory_block.cc), which
   puts blocks into larger blocks.

   Blocks are sorted by size, largest first. Ties: where the sorting is ascending, the block with
   more buffers, then the one that begins earlier; where it is descending, the one that begins
   later; then the one made first. Each block takes in every later one that is in no block yet and
   is not live together with any of its own buffers. A block that is taken in goes into the first
   block already inside that can take it, else behind those inside, as far as the size of the outer
   one allows.

   Departures: the code lets blocks inside exceed the outer one by up to 512 bytes, which its
   padding of sizes covers, and may split a block that fits only with some of its buffers; neither
   is done here. */

/* Replaces the objects, whose bytes are multiples of granule_bytes, by the outermost blocks in the
   sorted order. inside[] of the pools then says where each buffer lies in its object, and bytes are
   what the buffers of a block need, rounded up to granule_bytes. *fits: nothing overflowed.
   O(objects * buffers * log buffers). */
struct ge_nesting {
    bool ascending;
    uint64_t granule_bytes;
};
enum status ge_nest(struct pools *pools, const struct ge_nesting *nesting, bool *fits,
                    struct scratch *scratch, struct error *error);

#endif
