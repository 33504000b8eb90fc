#ifndef MEMPLAN_HEURISTICS_OURS_DIVE_TASK_H
#define MEMPLAN_HEURISTICS_OURS_DIVE_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/clock.h"

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
    uint32_t *order;      /* [movables] */
    uint64_t deadline_ns; /* from when on it fails; UINT64_MAX for never */
};

/* After so many buffers the deadline has passed, or that was not looked at. */
static inline bool dive_time_is_up(const struct dive_task *task, uint32_t placed)
{
    enum { PLACED_PER_LOOK = 256 };
    return placed % PLACED_PER_LOOK == PLACED_PER_LOOK - 1 && !clock_left_ns(task->deadline_ns);
}

#endif
