#ifndef MEMPLAN_DMA_COMPOSE_H
#define MEMPLAN_DMA_COMPOSE_H

#include "dma/transfer_times.h"

/* The time of one transfer region: entering it takes until its lead is computed and its first
   weights are there, then comes the rest. */
struct compose_region {
    uint64_t lead_ns; /* computing before the first weights are needed, without contention */
    uint64_t rest_ns;
    uint64_t left_ns; /* at its end, until the weights arrive that it started for the next region */
    bool prefetched;  /* else all is in rest_ns */
};

/* Times of the whole graph, or of the path that chosen says, see transfer_times.h. O(regions). */
enum status compose_times(const struct transfer_regions *regions, const struct hardware *hardware,
                          const struct compose_region *region, const uint32_t *chosen,
                          struct transfer_times *times, struct error *error);

#endif
