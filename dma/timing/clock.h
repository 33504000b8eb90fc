#ifndef MEMPLAN_DMA_TIMING_CLOCK_H
#define MEMPLAN_DMA_TIMING_CLOCK_H

#include "dma/program/program.h"
#include "dma/timing/costs.h"

/* Runs instructions and measures how long they take: one processor, and one channel that carries
   transfers in the order in which they were started. A cancelled transfer leaves the channel's
   queue, so that those behind it move up. A copy of a clock shares its arrays, so that only one of
   the two may be used until the other is thrown away. */
struct transfer_clock {
    const struct transfer_costs *costs;
    uint32_t operators;
    uint64_t *arrival_ns; /* [operators] when the weights arrive whose transfer was started last */
    uint32_t *behind;     /* [operators] for a transfer under way, the next one in the queue */
    /* The two ends of the queue of transfers that were started and neither waited for nor
       cancelled. */
    uint32_t first, last;
    uint32_t under_way; /* length of the queue */
    uint64_t now_ns;
    uint64_t free_ns;    /* when the channel will have carried all that was started */
    uint64_t stretch_ns; /* since this time the processor has done nothing but compute */
    uint64_t work_ns;    /* time of that computing without contention */
};

/* The time during which the processor was busy with an instruction, including waiting; for a start,
   the time during which the channel carries the transfer. */
struct transfer_interval {
    uint64_t begin_ns, end_ns;
};

/* Makes a clock at 0 ns with nothing under way. The caller clears it, also after an error. The
   costs have to outlive it. */
enum status transfer_clock_create(const struct transfer_costs *costs, uint32_t operators,
                                  struct transfer_clock *clock, struct error *error);
void transfer_clock_clear(struct transfer_clock *clock);

/* To be called before the instructions of a region: begins a new stretch of computing, so that
   rounding does not make a region's time depend on the region before it. */
void transfer_clock_enter(struct transfer_clock *clock);
/* To be called before the first instruction: puts a transfer that was started earlier at the end of
   the queue. */
void transfer_clock_expect(struct transfer_clock *clock, uint32_t op, uint64_t arrival_ns);
/* Runs an instruction. Waits, keeps and cancels are only for operators whose transfer is under way;
   a keep takes as long as a wait, a drop takes no time. O(1); a wait, keep or cancel O(transfers
   under way). */
struct transfer_interval transfer_clock_run(struct transfer_clock *clock,
                                            const struct transfer_instruction *instruction);

#endif
