#ifndef MEMPLAN_DMA_TIMING_REGION_TIMES_H
#define MEMPLAN_DMA_TIMING_REGION_TIMES_H

#include "dma/program/program.h"
#include "dma/timing/costs.h"

/* How long a transfer region takes when it is entered in a given state, and the state in which it
   is left. A state is the list of transfers that are under way, in the channel's order, each with
   how long it still takes. A region is run once for each state, and its time is remembered. */
struct region_times;

enum { REGION_TIMES_IDLE = 0 }; /* the state in which nothing is under way */

/* The program, checked by dma/program/check.h, and its costs have to outlive it. */
enum status region_times_create(const struct transfer_program *program,
                                const struct transfer_costs *costs,
                                struct region_times **region_times, struct error *error);
void region_times_free(struct region_times *region_times); /* NULL is fine */
SCOPED_POINTER(struct region_times, region_times_release, region_times_free);
const struct transfer_regions *region_times_regions(const struct region_times *region_times);

/* One way through a region: the states in which it is entered and left, and the time between. */
struct region_passage {
    uint32_t entered, left;
    uint64_t time_ns;
};

/* Runs a region that is entered in a state, or recalls what it took. O(instructions of the region)
   the first time; then O(states in which the region was entered). STATUS_LIMIT after millions of
   states. */
enum status region_times_run(struct region_times *region_times, uint32_t region, uint32_t state,
                             struct region_passage *passage, struct error *error);

/* The passage that was found last for a region, NULL where there is none. */
const struct region_passage *region_times_newest(const struct region_times *region_times,
                                                 uint32_t region);

/* Whether two states have the same transfers under way; the same list may have several numbers. */
bool region_times_same(const struct region_times *region_times, uint32_t state, uint32_t as);

/* A transfer of a state and how long it still takes. */
struct region_transfer {
    uint32_t op;
    uint64_t left_ns;
};
/* The transfers of a state, *count of them, valid until the next call of region_times_run. */
const struct region_transfer *region_times_transfers(const struct region_times *region_times,
                                                     uint32_t state, uint32_t *count);

#endif
