#ifndef MEMPLAN_PLANNING_GRAPH_PREDECESSORS_H
#define MEMPLAN_PLANNING_GRAPH_PREDECESSORS_H

#include "core/groups.h"
#include "planning/graph/graph.h"

/* Makes a list for each operator, of the operators in its own region that it has to come after:
   those whose results are read, or that are waited for, by the operator itself or by operators in
   its regions. Where streams are asked for, those that come before one of these on its stream are
   listed too. An operator may be listed several times. The caller frees the lists. O(uses * depth
   of regions). */
enum status predecessors_create(const struct graph *graph, bool streams,
                                struct groups *predecessors, struct error *error);

/* Two operators of one region: the two given operators, or operators around them. The same operator
   twice where one of the given two is in a region of the other, or both are in different regions of
   one operator. */
struct siblings {
    uint32_t a, b;
};
/* O(depth of regions). */
struct siblings predecessors_lift(const struct graph *graph, uint32_t a, uint32_t b);

#endif
