#ifndef MEMPLAN_DMA_TIMING_REGION_TIMES_H
#define MEMPLAN_DMA_TIMING_REGION_TIMES_H

#include "dma/program/program.h"
#include "dma/timing/costs.h"

/* How long a region takes that is entered in a certain state, and the state in which it is left. A
   state is the transfers that are under way, in the channel's order, each with how long it still
   takes. Each region is run once for each state. */
struct region_memo;

enum { REGION_MEMO_IDLE = 0 }; /* the state in which nothing is under way */

/* The program, checked by dma/program/check.h, and its costs have to outlive it. */
enum status region_memo_create(const struct transfer_program *program,
                               const struct transfer_costs *costs, struct region_memo **memo,
                               struct error *error);
void region_memo_free(struct region_memo *memo); /* NULL is fine */
const struct transfer_regions *region_memo_regions(const struct region_memo *memo);

struct region_passage {
    uint32_t entered, left; /* states */
    uint64_t time_ns;
};

/* O(instructions of the region) the first time; then O(states in which it was entered).
   STATUS_LIMIT after millions of states. */
enum status region_memo_run(struct region_memo *memo, uint32_t region, uint32_t state,
                            struct region_passage *passage, struct error *error);

/* The last of the region's passages that was found, NULL where there is none. */
const struct region_passage *region_memo_newest(const struct region_memo *memo, uint32_t region);

bool region_memo_same(const struct region_memo *memo, uint32_t state, uint32_t as);

/* The transfers of a state. */
struct region_transfer {
    uint32_t op;
    uint64_t left_ns;
};
const struct region_transfer *region_memo_transfers(const struct region_memo *memo, uint32_t state,
                                                    uint32_t *count);

#endif
