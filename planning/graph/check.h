#ifndef MEMPLAN_PLANNING_GRAPH_CHECK_H
#define MEMPLAN_PLANNING_GRAPH_CHECK_H

#include "planning/graph/graph.h"

/* Sets the producer of every tensor and checks what graph_finish promises. *op is the one at
   fault, GRAPH_NONE where the graph itself is. */
enum status graph_check(struct graph *graph, uint32_t *op, struct error *error);

#endif
