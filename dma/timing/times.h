#ifndef MEMPLAN_DMA_TIMING_TIMES_H
#define MEMPLAN_DMA_TIMING_TIMES_H

#include "dma/timing/region_times.h"

/* What a program takes, over all paths at once. A region's time depends on what ran before it only
   through the transfers under way when it is entered, so that what reaches a place is kept as one
   flow for each such state, with its probability, its expected time and its worst. Flows that have
   come to the same state become one. Nothing is under way at most borders, and there is one flow
   then. An If takes one branch, a loop its trip_count turns, or one where that is unknown. */

struct transfer_times {
    uint64_t expected_ns; /* over the probabilities of the branches, rounded */
    uint64_t worst_ns;    /* of any path */
};

/* chosen is NULL, or for each operator that is an If the region that it takes; both times are then
   those of that path. STATUS_BAD_INPUT where they are 2^63 ns or more, STATUS_LIMIT where hundreds
   of states meet or the turns of a loop do not come to one state. O(regions) for each state in
   which they are entered. */
enum status transfer_times_compose(struct region_memo *memo, const uint32_t *chosen,
                                   struct transfer_times *times, struct error *error);

/* No mode can be faster: all computing, or all transfers of the path with their start-up, whichever
   takes longer. expected_ns is the larger of the two expected sums. O(operators). */
enum status transfer_times_bound(const struct transfer_regions *regions,
                                 const struct transfer_costs *costs, const uint32_t *chosen,
                                 struct transfer_times *bound, struct error *error);

#endif
