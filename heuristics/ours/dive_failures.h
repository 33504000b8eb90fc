#ifndef MEMPLAN_HEURISTICS_OURS_DIVE_FAILURES_H
#define MEMPLAN_HEURISTICS_OURS_DIVE_FAILURES_H

#include <stdint.h>

#include "core/scratch.h"

/* Counts at which sections dives failed, and how often. */
struct dive_failures {
    uint64_t *count;   /* [sections] */
    uint32_t *section; /* [failed] the sections at which any dive failed */
    uint32_t failed;
    uint32_t last; /* the section of the last failure, 0 at first */
    uint64_t most; /* the greatest of the counts */
};

/* Begins without a failure. */
enum status dive_failures_create(struct dive_failures *failures, uint32_t sections,
                                 struct scratch *scratch, struct error *error);

/* Counts a failure at the section. O(1). */
void dive_failures_add(struct dive_failures *failures, uint32_t section);

/* The factor, from 1 to 2, by which the rule DIVE_HARDEST multiplies the bytes that are left in a
   section. */
double dive_failures_factor(const struct dive_failures *failures, uint32_t section);

#endif
