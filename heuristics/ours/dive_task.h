#ifndef MEMPLAN_HEURISTICS_OURS_DIVE_TASK_H
#define MEMPLAN_HEURISTICS_OURS_DIVE_TASK_H

#include <stdint.h>

/* What one dive (dive.h) is to do, along lists or along trees. */
enum dive_rule {
    DIVE_FULLEST, /* the section with most bytes left to place */
    DIVE_HARDEST, /* the same, but a section counts for more the more dives have failed there */
    DIVE_LOWEST,  /* no section: of all buffers that are left */
    DIVE_RULES
};

struct dive_task {
    enum dive_rule rule;
    const uint32_t *rank; /* [buffers] of movable buffers, all different, below their number */
    uint64_t limit_bytes;
    uint32_t *order; /* [movables] */
};

#endif
