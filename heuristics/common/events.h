#ifndef MEMPLAN_HEURISTICS_COMMON_EVENTS_H
#define MEMPLAN_HEURISTICS_COMMON_EVENTS_H

#include <stdbool.h>

#include "planning/problem/problem.h"

/* What an allocator at run time would be asked for, one call after another: at each step first the
   buffers that begin, by their last step and position, then the frees of those whose last step it
   is, by their first step and position. A buffer with holes is kept from its first step to its
   last.
 */
struct event {
    uint32_t buffer;
    bool frees;
};

/* *events is [2 * problem->buffers], for memory_free. O(n log n). */
enum status events_create(const struct problem *problem, struct event **events,
                          struct error *error);

#endif
