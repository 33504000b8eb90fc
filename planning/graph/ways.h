#ifndef MEMPLAN_PLANNING_GRAPH_WAYS_H
#define MEMPLAN_PLANNING_GRAPH_WAYS_H

#include "planning/graph/graph.h"

/* Ways through a graph: for each operator with branches the region that runs; for a loop its first
   region, or GRAPH_NONE where it has no turn. */

/* How many there are, at most most + 1. O(operators). */
uint32_t graph_count_ways(const struct graph *graph, uint32_t most);

/* Calls visit with the choices of each way, [operators], where there are at most `most` of them,
   else with as many samples, or more where it takes more to come by every region. Stops at the
   first status that is not STATUS_OK and returns it. */
struct graph_way_visitor {
    enum status (*visit)(void *context, const uint32_t *choice);
    void *context;
};
enum status graph_visit_ways(const struct graph *graph, uint32_t most,
                             const struct graph_way_visitor *visitor, struct error *error);

#endif
