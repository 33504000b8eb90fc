#ifndef MEMPLAN_HEURISTICS_POOLS_NNVM_COLOUR_H
#define MEMPLAN_HEURISTICS_POOLS_NNVM_COLOUR_H

#include "core/scratch.h"
#include "planning/graph/graph.h"

/* NNVM's ColorNodeGroup (graph_algorithm.h): parts operators into groups that may run beside each
   other. Each colour but the last goes, in turn, to the operators without a colour on the path
   through the graph that has most of these (ties: the path that starts last, then through the
   operator that comes last). The remaining operators get the next colour. An operator follows those
   that made its inputs, also across regions. Fills colour[graph->operators]; colours is at least 1.
   O(colours * graph). */
enum status nnvm_colour(const struct graph *graph, uint32_t colours, uint32_t *colour,
                        struct scratch *scratch, struct error *error);

#endif
