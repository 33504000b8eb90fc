#ifndef MEMPLAN_DMA_TRANSFER_CLOCK_H
#define MEMPLAN_DMA_TRANSFER_CLOCK_H

#include "dma/transfer_costs.h"
#include "dma/transfer_program.h"

/* Runs instructions and says what they take: one processor, one channel that carries transfers in
   the order in which they were started. Zero-initialise it but for costs and arrival_ns. */
struct transfer_clock {
    const struct transfer_costs *costs;
    uint64_t *arrival_ns; /* [operators] of the weights started last for it */
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

/* Before the instructions of a region: rounding starts over, so that a region takes as long by
   itself as in a row. */
void transfer_clock_enter(struct transfer_clock *clock);
struct transfer_moment transfer_clock_run(struct transfer_clock *clock,
                                          const struct transfer_instruction *instruction);

#endif
