#ifndef MEMPLAN_DMA_TIMING_COSTS_H
#define MEMPLAN_DMA_TIMING_COSTS_H

#include "dma/program/regions.h"
#include "dma/timing/hardware.h"

/* What each operator of a graph costs on a chip. The sum over all operators, with the greatest
   slowdown by contention, is below 2^63 ns, so that times of a program in which each runs once
   cannot overflow. */
struct transfer_costs {
    const struct hardware *hardware;
    uint64_t *compute_ns;  /* [operators] time of computing without contention */
    uint64_t *transfer_ns; /* [operators] time of transferring its weights, 0 where it has none */
};

/* The hardware has to outlive the costs. STATUS_BAD_INPUT where the sum is too large.
   O(operators). */
enum status transfer_costs_create(const struct transfer_regions *regions,
                                  const struct hardware *hardware, struct transfer_costs **costs,
                                  struct error *error);
void transfer_costs_free(struct transfer_costs *costs); /* NULL is fine */
SCOPED_POINTER(struct transfer_costs, transfer_costs_release, transfer_costs_free);

#endif
