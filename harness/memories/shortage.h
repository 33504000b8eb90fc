#ifndef MEMPLAN_HARNESS_MEMORIES_SHORTAGE_H
#define MEMPLAN_HARNESS_MEMORIES_SHORTAGE_H

#include "planning/memories/memory_planner.h"

/* Why no plan fits, and which capacities would be enough. */
struct memory_shortage {
    uint32_t buffers;
    uint32_t *buffer;    /* [buffers] which do not fit together, wherever the others are */
    uint32_t step;       /* at which most bytes of these are live */
    uint64_t live_bytes; /* then */
    uint64_t *least; /* [memories] a capacity of this memory with which all fits, while the other
                        memories stay as they are; UINT64_MAX where none is known */
    bool *is_least;  /* [memories] nothing fits with a byte less */
};

/* Asks an exact planner (PLANNER_EXACT) about a problem that was proved not to fit, as long as
   this thread has not computed for longer than the limit, whatever else the machine does: leaves
   out buffers as long as the rest does not fit, and narrows capacities by bisection. The caller
   clears *shortage, also after a failure. */
enum status memory_shortage_find(const struct memory_problem *problem, const struct planner *exact,
                                 uint64_t limit_ns, struct memory_shortage *shortage,
                                 struct error *error);
void memory_shortage_clear(struct memory_shortage *shortage);

/* Appends the shortage as sentences. */
void memory_shortage_write(const struct memory_problem *problem,
                           const struct memory_shortage *shortage, struct text *text);

#endif
