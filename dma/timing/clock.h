#ifndef MEMPLAN_DMA_TIMING_CLOCK_H
#define MEMPLAN_DMA_TIMING_CLOCK_H

#include "dma/program/program.h"
#include "dma/timing/costs.h"

/* Runs instructions and says what they take: one processor, one channel that carries transfers in
   the order in which they were started. A cancelled transfer leaves the channel's queue, so that
   those behind it move up. A copy shares the arrays, so that only one of them is used at a time. */
struct transfer_clock {
    const struct transfer_costs *costs;
    uint64_t *arrival_ns; /* [operators] of the weights started last for it */
    uint32_t *behind;     /* [operators] that was started next, of those under way */
    uint32_t first, last; /* under way: started and neither waited for nor cancelled */
    uint32_t under_way;
    uint64_t now_ns;
    uint64_t free_ns;    /* when the channel has carried all that was started */
    uint64_t stretch_ns; /* since when there was only computing, */
    uint64_t work_ns;    /* and how much of it, without contention */
};

/* What one instruction did; a start's transfer is from begin to end, else the processor was busy.
   A wait is busy until it is over. */
struct transfer_moment {
    uint64_t begin_ns, end_ns;
};

/* A clock before the first instruction; cleared by the caller, also after an error. */
enum status transfer_clock_create(const struct transfer_costs *costs, uint32_t operators,
                                  struct transfer_clock *clock, struct error *error);
void transfer_clock_clear(struct transfer_clock *clock);

/* Before the instructions of a region: rounding starts over, so that a region takes as long by
   itself as in a row. */
void transfer_clock_enter(struct transfer_clock *clock);
/* Before the first instruction: a transfer that was started earlier, after those already there. */
void transfer_clock_expect(struct transfer_clock *clock, uint32_t op, uint64_t arrival_ns);
struct transfer_moment transfer_clock_run(struct transfer_clock *clock,
                                          const struct transfer_instruction *instruction);

#endif
