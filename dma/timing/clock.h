#ifndef MEMPLAN_DMA_TIMING_CLOCK_H
#define MEMPLAN_DMA_TIMING_CLOCK_H

#include "dma/program/program.h"
#include "dma/timing/costs.h"

/* Runs instructions and says what they take: one processor, and one channel that carries transfers
   in the order in which they were started. A cancelled transfer leaves the channel's queue, so that
   those behind it move up. A copy of a clock shares its arrays, so that only one of the two may be
   used until the other is thrown away. */
struct transfer_clock {
    const struct transfer_costs *costs;
    uint32_t operators;
    uint64_t *arrival_ns; /* [operators] when the weights that were started last arrive */
    uint32_t *behind;     /* [operators] of those under way: the next one in the queue */
    uint32_t first, last; /* ends of the queue: started and neither waited for nor cancelled */
    uint32_t under_way;   /* length of the queue */
    uint64_t now_ns;
    uint64_t free_ns;    /* when the channel has carried all that was started */
    uint64_t stretch_ns; /* since when the processor has only computed */
    uint64_t work_ns;    /* how much it has computed since then, without contention */
};

/* When the processor was busy with an instruction, waiting included; for a start, when the channel
   carries the transfer. */
struct transfer_interval {
    uint64_t begin_ns, end_ns;
};

/* A clock at 0 ns with nothing under way, cleared by the caller, also after an error. The costs
   have to outlive it. */
enum status transfer_clock_create(const struct transfer_costs *costs, uint32_t operators,
                                  struct transfer_clock *clock, struct error *error);
void transfer_clock_clear(struct transfer_clock *clock);

/* To be called before the instructions of a region: rounding starts over, so that a region takes as
   long by itself as after another one. */
void transfer_clock_enter(struct transfer_clock *clock);
/* To be called before the first instruction: puts a transfer that was started earlier at the end of
   the queue. */
void transfer_clock_expect(struct transfer_clock *clock, uint32_t op, uint64_t arrival_ns);
/* Waits, keeps and cancels are only for operators whose transfer is under way; a keep takes as long
   as a wait, a drop no time. O(1), what ends a transfer O(transfers under way). */
struct transfer_interval transfer_clock_run(struct transfer_clock *clock,
                                            const struct transfer_instruction *instruction);

#endif
