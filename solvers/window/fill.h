#ifndef MEMPLAN_SOLVERS_WINDOW_FILL_H
#define MEMPLAN_SOLVERS_WINDOW_FILL_H

#include "planning/arena/occupancy.h"
#include "solvers/window/draft.h"

struct fill_rule {
    const uint32_t *sorted;      /* [buffers] the order */
    struct occupancy *occupancy; /* of the problem; what it held is forgotten */
    uint64_t deadline_ns;        /* UINT64_MAX for none */
};

/* A plan of the whole problem. */
struct fill_whole {
    uint64_t *offset; /* [buffers] */
    uint64_t peak_bytes;
};

/* Gives each buffer that has no offset in the draft the lowest one that is free, in the order of
   the rule. A buffer that would end above the draft's capacity waits in the draft instead.
   whole->offset[buffers] is a plan of all buffers: the draft's offsets and, for buffers that wait,
   offsets that may be above the capacity. whole->peak_bytes is its peak, or UINT64_MAX where some
   buffer has no place. O(buffers * log) as a rule. At the deadline it ends early: then the
   remaining buffers have no offset and do not wait, and whole->peak_bytes is UINT64_MAX. */
enum status fill_draft(struct draft *draft, const struct fill_rule *rule, struct fill_whole *whole,
                       struct error *error);

#endif
