#ifndef MEMPLAN_PLANNING_GRAPH_PREDECESSORS_H
#define MEMPLAN_PLANNING_GRAPH_PREDECESSORS_H

#include <stddef.h>

#include "planning/graph/graph.h"

/* Which operators of its own region each operator has to come after: those whose results it or an
   operator in its regions reads, or for which one of these waits, and, where streams are asked for,
   those that come before one of these on its stream. */
struct predecessors {
    size_t *first; /* [operators + 1] into op */
    uint32_t *op;  /* earlier on the list, of the same region; one may stand there several times */
};

/* O(uses * depth of regions). */
enum status predecessors_create(const struct graph *graph, bool streams,
                                struct predecessors *predecessors, struct error *error);
void predecessors_free(struct predecessors *predecessors);

/* Two operators of one region: the two that were asked for, or operators around them. The same one
   twice where one of the two is in a region of the other, or both are in different regions of one
   operator. */
struct siblings {
    uint32_t a, b;
};
/* O(depth of regions). */
struct siblings predecessors_lift(const struct graph *graph, uint32_t a, uint32_t b);

#endif
