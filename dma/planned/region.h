#ifndef MEMPLAN_DMA_PLANNED_REGION_H
#define MEMPLAN_DMA_PLANNED_REGION_H

#include "dma/planned/schedule.h"
#include "dma/timing/clock.h"
#include "dma/timing/region_times.h"

/* The starts of one transfer region by itself, start[count] with the first of its bearers that are
   not early first. It begins with the early ones under way and no others, and what it has in memory
   is live in its own steps only. */
struct prefetch_region {
    const struct prefetch *prefetch;
    uint32_t begin, end;    /* operators */
    const uint32_t *bearer; /* [count] */
    uint32_t count;
    const struct region_transfer *early; /* [earlies] */
    uint32_t early_count;
    const struct transfer_clock *clock; /* before the first instruction, borrowed */
};

/* Without early ones. */
struct prefetch_region prefetch_region_at(const struct prefetch *prefetch, uint32_t region,
                                          const struct transfer_clock *clock);

/* How long the region takes, and the greatest load while it runs, tensors and weights. O(its
   operators). */
struct prefetch_cost {
    uint64_t time_ns, load_bytes;
};
struct prefetch_cost prefetch_region_cost(const struct prefetch_region *region,
                                          const uint32_t *start);

/* Schedules to begin with. Sync starts each transfer when its weights are needed, which takes least
   memory; pingpong when the operator with weights before it computes, the first when the region
   begins; late as late as no operator waits if none before it does. O(operators). */
void prefetch_region_sync(const struct prefetch_region *region, uint32_t *start);
void prefetch_region_pingpong(const struct prefetch_region *region, uint32_t *start);
void prefetch_region_late(const struct prefetch_region *region, uint32_t *start);

/* Moves starts later until no load is above the capacity, what is needed last first; false where
   the region needs more even then. O(operators). */
bool prefetch_region_shrink(const struct prefetch_region *region, uint64_t capacity_bytes,
                            uint32_t *start);

#endif
