#ifndef MEMPLAN_PLANNING_GRAPH_PREDECESSORS_H
#define MEMPLAN_PLANNING_GRAPH_PREDECESSORS_H

#include "core/groups.h"
#include "planning/graph/graph.h"

/* Makes a list for each operator: of those in its own region that it has to come after. These are
   the operators whose results it or an operator in its regions reads, or for which one of these
   waits, and, where streams are asked for, those that come before one of these on its stream. One
   may stand there several times. The caller frees the lists. O(uses * depth of regions). */
enum status predecessors_create(const struct graph *graph, bool streams,
                                struct groups *predecessors, struct error *error);

/* Two operators of one region: the two that were asked for, or operators around them. The same one
   twice where one of the two is in a region of the other, or both are in different regions of one
   operator. */
struct siblings {
    uint32_t a, b;
};
/* O(depth of regions). */
struct siblings predecessors_lift(const struct graph *graph, uint32_t a, uint32_t b);

#endif
