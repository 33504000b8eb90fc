#ifndef MEMPLAN_HEURISTICS_OURS_DIVE_FAILURES_H
#define MEMPLAN_HEURISTICS_OURS_DIVE_FAILURES_H

#include <stdint.h>

#include "core/error.h"

/* At which sections dives failed, and how often. */
struct dive_failures {
    uint64_t *count;   /* [sections] */
    uint32_t *section; /* [failed] those with any */
    uint32_t failed;
    uint32_t last; /* 0 at first */
    uint64_t most; /* of count */
};

enum status dive_failures_create(struct dive_failures *failures, uint32_t sections,
                                 struct error *error);
void dive_failures_free(struct dive_failures *failures);

void dive_failures_add(struct dive_failures *failures, uint32_t section);

/* What the bytes left in a section are multiplied by, for the rule DIVE_HARDEST: from 1 to 2. */
double dive_failures_factor(const struct dive_failures *failures, uint32_t section);

#endif
