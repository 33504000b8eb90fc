#ifndef MEMPLAN_HEURISTICS_COMMON_SPANS_H
#define MEMPLAN_HEURISTICS_COMMON_SPANS_H

#include "heuristics/common/max_tree.h"
#include "planning/problem/problem.h"

/* A set of buffers that finds those live at the same time as another, from first step to last. */
struct spans {
    const struct problem *problem;
    uint32_t *sorted;       /* [buffers] by first step */
    uint32_t *place;        /* [buffers] where in sorted */
    struct max_tree latest; /* last steps of those in the set, by place */
};

/* Creates an empty set. O(n log n). */
enum status spans_create(struct spans *spans, const struct problem *problem, struct error *error);
void spans_free(struct spans *spans);

void spans_add(struct spans *spans, uint32_t buffer);    /* O(log n) */
void spans_remove(struct spans *spans, uint32_t buffer); /* O(log n) */

/* Writes the buffers of the set that are live in [lower, upper) to found, which has room for all of
   them, by first step; how many. O(log n) for each. */
uint32_t spans_find(const struct spans *spans, uint32_t lower, uint32_t upper, uint32_t *found);

#endif
