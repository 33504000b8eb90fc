#ifndef MEMPLAN_DMA_TRANSFER_TIMES_H
#define MEMPLAN_DMA_TRANSFER_TIMES_H

#include "dma/transfer_costs.h"
#include "dma/transfer_program.h"

/* What a program takes, over all paths at once: times are put together region by region, as a
   region's time depends on what runs before it only through how much of its first weights has
   arrived. An If takes one branch, a loop its trip_count turns, or one where that is unknown. */

struct transfer_times {
    uint64_t expected_ns; /* over the probabilities of the branches, rounded */
    uint64_t worst_ns;    /* of any path */
};

/* What the regions of a program take by themselves. The program and its costs have to outlive it.
   O(instructions). */
struct transfer_measure;
enum status transfer_measure_create(const struct transfer_program *program,
                                    const struct transfer_costs *costs,
                                    struct transfer_measure **measure, struct error *error);
void transfer_measure_free(struct transfer_measure *measure); /* NULL is fine */

/* chosen is NULL, or for each operator that is an If the region that it takes; both times are then
   those of that path. STATUS_BAD_INPUT where they are 2^63 ns or more. O(regions). */
enum status transfer_measure_times(const struct transfer_measure *measure, const uint32_t *chosen,
                                   struct transfer_times *times, struct error *error);

/* No mode can be faster: all computing, or all transfers of the path with their start-up, whichever
   takes longer. expected_ns is the larger of the two expected sums. O(operators). */
enum status transfer_times_bound(const struct transfer_regions *regions,
                                 const struct transfer_costs *costs, const uint32_t *chosen,
                                 struct transfer_times *bound, struct error *error);

#endif
