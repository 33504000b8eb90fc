#ifndef MEMPLAN_HEURISTICS_POOLS_NNVM_POOL_H
#define MEMPLAN_HEURISTICS_POOLS_NNVM_POOL_H

#include "heuristics/pools/common/walk.h"

/* The free list of NNVM's GraphAllocator (plan_memory.cc), which TVM Relay's token allocator took
   over. For bytes and a match range R it takes the smallest free block of bytes .. bytes * R (of
   equals the one freed first), else the largest of bytes / R .. bytes - 1 (of equals the one freed
   last), which grows; with R = 0 never one. Blocks only go to requests of the colour by which they
   were freed. */
struct nnvm_pool {
    struct treap free; /* by colour, bytes, and when it was freed */
    const struct pools *pools;
    const uint64_t *bytes;                           /* [buffers] */
    const uint32_t *request_colour, *release_colour; /* [buffers] */
    uint64_t match_range, freed;
};

enum status nnvm_pool_create(struct nnvm_pool *pool, uint32_t buffers, struct error *error);
void nnvm_pool_free(struct nnvm_pool *pool);
struct pool_rule nnvm_pool_rule(struct nnvm_pool *pool);

#endif
