#ifndef MEMPLAN_PLANNING_GRAPH_WAYS_H
#define MEMPLAN_PLANNING_GRAPH_WAYS_H

#include "planning/graph/graph.h"

/* Ways through a graph: for each operator with branches the region that runs; for a loop its first
   region, or GRAPH_NONE where it has no turn. */

/* The number of ways, or most + 1 where there are more than `most`. O(operators). */
uint32_t graph_count_ways(const struct graph *graph, uint32_t most);

/* Marks in reached[regions] the regions that the way [operators] runs; with way NULL, those that
   some way runs. O(regions). */
void graph_mark_reached(const struct graph *graph, const uint32_t *way, bool *reached);

/* Calls visit with the choices [operators] of each way where there are at most `most` ways. Where
   there are more, calls it with `most` samples, or with as many more as it takes to run every
   region at least once. Stops at the first status that is not STATUS_OK and returns it. */
struct graph_way_visitor {
    enum status (*visit)(void *context, const uint32_t *choice);
    void *context;
};
enum status graph_visit_ways(const struct graph *graph, uint32_t most,
                             const struct graph_way_visitor *visitor, struct error *error);

#endif
