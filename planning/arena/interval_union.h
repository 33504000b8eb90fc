#ifndef MEMPLAN_PLANNING_ARENA_INTERVAL_UNION_H
#define MEMPLAN_PLANNING_ARENA_INTERVAL_UNION_H

#include "core/error.h"
#include "planning/arena/gaps.h"

/* A set of bytes as sorted intervals that neither overlap nor touch. Zero-initialise it. */
struct interval_union {
    struct interval *item; /* [count] */
    uint32_t count, capacity;
};

/* *changed tells whether any byte was new. O(log count + moved intervals). */
enum status interval_union_add(struct interval_union *set, struct interval added, bool *changed,
                               struct error *error);
void interval_union_free(struct interval_union *set);

#endif
