#ifndef MEMPLAN_HEURISTICS_COMMON_EVENTS_H
#define MEMPLAN_HEURISTICS_COMMON_EVENTS_H

#include <stdbool.h>

#include "core/scratch.h"
#include "planning/problem/problem.h"

/* The calls that an allocator at run time would get, one after another. At each step the buffers
   that begin are allocated first, ordered by their last step and then by position; then the buffers
   whose last step it is are freed, ordered by their first step and then by position. A buffer with
   holes is kept from its first step to its last. */
struct event {
    uint32_t buffer;
    bool frees;
};

/* *events gets 2 * problem->buffers entries. O(n log n). */
enum status events_create(const struct problem *problem, struct event **events,
                          struct scratch *scratch, struct error *error);
/* The same, but the buffers that begin at one step are ordered by position alone. */
enum status events_in_order(const struct problem *problem, struct event **events,
                            struct scratch *scratch, struct error *error);

#endif
