#ifndef MEMPLAN_HEURISTICS_OURS_DIVE_TASK_H
#define MEMPLAN_HEURISTICS_OURS_DIVE_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/clock.h"

/* The task of one dive (dive.h), whether it goes along lists or along trees. */
enum dive_rule {
    DIVE_FULLEST, /* chooses the section with most bytes left to place */
    /* Does the same, but a section counts for more the more dives have failed there. */
    DIVE_HARDEST,
    DIVE_LOWEST, /* chooses no section: any buffer that is left may be next */
    DIVE_RULES
};

struct dive_task {
    enum dive_rule rule;
    /* [buffers] ranks of the movable buffers, all different and below their number */
    const uint32_t *rank;
    uint64_t limit_bytes;
    uint32_t *order;      /* [movables] */
    uint64_t deadline_ns; /* the dive fails when this time has passed; UINT64_MAX for never */
};

/* Whether the deadline has passed. Only once in a while does it look at the clock, depending on the
   number of buffers placed so far. */
static inline bool dive_time_is_up(const struct dive_task *task, uint32_t placed)
{
    enum { PLACED_PER_LOOK = 256 };
    return placed % PLACED_PER_LOOK == PLACED_PER_LOOK - 1 && !clock_left_ns(task->deadline_ns);
}

/* Counts at which sections dives failed, and how often. */
struct dive_failures {
    uint64_t *count;   /* [sections] */
    uint32_t *section; /* [failed] the sections at which any dive failed */
    uint32_t failed;
    uint32_t last; /* the section of the last failure, 0 at first */
    uint64_t most; /* the greatest of the counts */
};

/* Counts a failure at the section. O(1). */
static inline void dive_failures_add(struct dive_failures *failures, uint32_t section)
{
    uint64_t count = ++failures->count[section];
    if (count == 1)
        failures->section[failures->failed++] = section;
    if (count > failures->most)
        failures->most = count;
    failures->last = section;
}

/* The factor, from 1 to 2, by which the rule DIVE_HARDEST multiplies the bytes that are left in a
   section. */
static inline double dive_failures_factor(const struct dive_failures *failures, uint32_t section)
{
    return 1 + (double)failures->count[section] / ((double)failures->most + 1);
}

#endif
