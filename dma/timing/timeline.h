#ifndef MEMPLAN_DMA_TIMING_TIMELINE_H
#define MEMPLAN_DMA_TIMING_TIMELINE_H

#include "dma/timing/clock.h"

/* What the processor and the channel do along one path, and when. Each event is an instruction with
   its interval, see dma/timing/clock.h; a cancelled transfer ends when it is cancelled. */
struct timeline_event {
    struct transfer_instruction instruction;
    uint32_t region; /* transfer region */
    uint64_t begin_ns, end_ns;
};

struct transfer_timeline {
    struct timeline_event *event; /* [count] in the order of the instructions */
    uint32_t count;
    uint64_t total_ns;
    size_t capacity;
};

/* The timeline of a program along the path chosen[operators], see dma/program/paths.h. The caller
   zero-initialises *timeline and frees what it holds with transfer_timeline_clear, also after an
   error. STATUS_LIMIT for a path of millions of events. O(events). */
enum status transfer_timeline_fill(const struct transfer_program *program,
                                   const struct transfer_costs *costs, const uint32_t *chosen,
                                   struct transfer_timeline *timeline, struct error *error);
void transfer_timeline_clear(struct transfer_timeline *timeline);

#endif
