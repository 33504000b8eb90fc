#ifndef MEMPLAN_HEURISTICS_COMMON_SPANS_H
#define MEMPLAN_HEURISTICS_COMMON_SPANS_H

#include "heuristics/common/max_tree.h"
#include "planning/problem/problem.h"

/* A set of buffers that can be asked which of its members are live at the same time as a given
   buffer, where each counts as live from its first step to its last. */
struct spans {
    const struct problem *problem;
    uint32_t *sorted;   /* [buffers] all buffers by first step */
    uint32_t *position; /* [buffers] where each is in `sorted` */
    /* For each position in `sorted`, the last step of the buffer if it is in the set. */
    struct max_tree latest;
};

/* Creates an empty set. O(n log n). */
enum status spans_create(struct spans *spans, const struct problem *problem,
                         struct scratch *scratch, struct error *error);

void spans_add(struct spans *spans, uint32_t buffer);    /* O(log n) */
void spans_remove(struct spans *spans, uint32_t buffer); /* O(log n) */

/* Writes the members that are live in [lower, upper) to found[], which has room for all buffers,
   ordered by first step, and returns their number. O(log n) for each of them. */
uint32_t spans_find(const struct spans *spans, uint32_t lower, uint32_t upper, uint32_t *found);

#endif
