#ifndef MEMPLAN_HEURISTICS_POOLS_GE_NEST_H
#define MEMPLAN_HEURISTICS_POOLS_GE_NEST_H

#include "heuristics/pools/common/pools.h"

/* The second level of CANN GE's BlockMemAssigner (ReuseBlocksByLifeTime, memory_block.cc): blocks
   by size, largest first; of equals, ascending: the one with more buffers, then the earlier begun;
   descending: the later begun; then by creation. Each takes in turn every later one that is in no
   block and is not live together with any buffer of its own: first a block inside it is asked to
   take it, the first taken first, else it goes behind those inside as far as its size allows.

   Departures: the code lets blocks inside exceed the outer one by up to 512 bytes, which its
   padding of sizes covers, and may part a block that fits only with some of its buffers; neither is
   done here. */

/* Replaces the objects, whose bytes are multiples of granule_bytes, by the outermost blocks in that
   order, with inside set; bytes are then what the buffers of a block need, rounded up to
   granule_bytes. *fits: nothing overflowed. O(objects * buffers * log buffers). */
struct ge_nesting {
    bool ascending;
    uint64_t granule_bytes;
};
enum status ge_nest(struct pools *pools, const struct ge_nesting *nesting, bool *fits,
                    struct scratch *scratch, struct error *error);

#endif
