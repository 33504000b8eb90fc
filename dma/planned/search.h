#ifndef MEMPLAN_DMA_PLANNED_SEARCH_H
#define MEMPLAN_DMA_PLANNED_SEARCH_H

#include "dma/planned/region.h"

/* The fastest schedule of a region whose load is at most the capacity, and of those as fast one
   with late starts. Small regions are searched completely; others from several schedules by moving
   one start earlier (and with it those before it that would fall behind), the best place for each,
   as long as that saves time, with starts moved back where that costs none. */

/* Regions with at most so many schedules are searched completely, where the goal allows that. */
enum { PREFETCH_MOST_SCHEDULES = 20000 };

/* When a limit is reached the best so far is taken. */
struct prefetch_goal {
    uint64_t capacity_bytes; /* UINT64_MAX: none */
    uint64_t deadline_ns;    /* of clock_monotonic_ns; UINT64_MAX: none */
    uint64_t *walked_most;   /* operators that may be walked over, taken from; NULL: any number */
};

/* start[region->count] holds a schedule to begin with and gets the best one found; *cost is what
   that takes. STATUS_NO, without a text, where none has a load within the capacity. */
enum status prefetch_search(const struct prefetch_region *region, const struct prefetch_goal *goal,
                            uint32_t *start, struct prefetch_cost *cost, struct error *error);

#endif
