#ifndef MEMPLAN_SOLVERS_WINDOW_FILL_H
#define MEMPLAN_SOLVERS_WINDOW_FILL_H

#include "planning/arena/occupancy.h"
#include "solvers/window/draft.h"

/* A plan of the whole problem. */
struct fill_whole {
    uint64_t *offset; /* [buffers] */
    uint64_t peak_bytes;
};

/* Gives what has no offset in the draft the lowest that is free, in the order of sorted [buffers].
   What would end above the draft's capacity waits there, and is put above it only in
   whole->offset [buffers], with a copy of all the draft's offsets; whole->peak_bytes is where that
   ends, or UINT64_MAX where it has no place. The occupancy is that of the problem; what it held is
   forgotten. O(buffers * log) as a rule.
   Ends early at the deadline: then what was not looked at has no offset and does not wait, and
   whole->peak_bytes is UINT64_MAX. */
enum status fill_draft(struct draft *draft, const uint32_t *sorted, struct occupancy *occupancy,
                       struct fill_whole *whole, uint64_t deadline_ns, struct error *error);

#endif
