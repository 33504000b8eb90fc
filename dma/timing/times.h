#ifndef MEMPLAN_DMA_TIMING_TIMES_H
#define MEMPLAN_DMA_TIMING_TIMES_H

#include "dma/timing/region_times.h"

/* How long a program takes, over all paths at once. The time of a region depends on what ran before
   it only through the transfers under way when it is entered. So paths that reach a point in the
   same state (dma/timing/region_times.h) are kept together as one flow, with its probability, its
   expected time and its worst time. Nothing is under way at most borders, and there is one flow
   then. An If takes one branch, a loop its trip_count turns, or one where that is unknown. */

struct transfer_times {
    uint64_t expected_ns; /* mean over the probabilities of the branches, rounded */
    uint64_t worst_ns;    /* the longest time of any path */
};

/* chosen is NULL, or says for each operator that is an If which region it takes; both times are
   then those of that path. STATUS_BAD_INPUT where they are 2^63 ns or more, STATUS_LIMIT where
   hundreds of states meet or the turns of a loop do not come to one state. O(regions) for each
   state in which they are entered. */
enum status transfer_times_compose(struct region_times *region_times, const uint32_t *chosen,
                                   struct transfer_times *times, struct error *error);

#endif
