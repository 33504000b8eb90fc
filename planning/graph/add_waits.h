#ifndef MEMPLAN_PLANNING_GRAPH_ADD_WAITS_H
#define MEMPLAN_PLANNING_GRAPH_ADD_WAITS_H

#include "planning/graph/copy.h"

/* A new graph whose operators wait for these, too, each for one of its own region. Where that asks
   for it, the operators of a region are listed in another order, behind all that they wait for,
   read from, and come after on their streams; of those that may come next, the one that was listed
   first. Tensors keep their numbers. The order of the waits changes. STATUS_BAD_INPUT where
   operators wait for each other in a circle. O((size of the graph + waits) * log). */
enum status graph_add_waits(const struct graph *graph, struct graph_wait *wait, size_t waits,
                            struct graph **waiting, struct error *error);

#endif
