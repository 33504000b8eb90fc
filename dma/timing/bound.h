#ifndef MEMPLAN_DMA_TIMING_BOUND_H
#define MEMPLAN_DMA_TIMING_BOUND_H

#include "dma/timing/costs.h"
#include "dma/timing/times.h"

/* A time that no mode can be below: all computing of a path, or all its transfers with their
   start-up, whichever takes longer. Transfers in a loop count once, since weights may be kept.
   expected_ns is the larger of the two expected sums. chosen is as for transfer_times_compose.
   STATUS_BAD_INPUT where a sum is 2^63 ns or more. O(operators). */
enum status transfer_bound_find(const struct transfer_regions *regions,
                                const struct transfer_costs *costs, const uint32_t *chosen,
                                struct transfer_times *bound, struct error *error);

#endif
