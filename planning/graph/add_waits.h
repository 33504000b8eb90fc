#ifndef MEMPLAN_PLANNING_GRAPH_ADD_WAITS_H
#define MEMPLAN_PLANNING_GRAPH_ADD_WAITS_H

#include "planning/graph/copy.h"

/* Makes a new graph whose operators have these waits, too, each for an operator of its own region.
   Where the waits ask for it, the operators of a region are listed in another order: behind all
   operators that they wait for, read from, or come after on their streams. Of the operators that
   may come next, the one that was listed first comes first. Tensors keep their numbers. Sorts the
   array of waits. STATUS_BAD_INPUT where operators wait for each other in a circle. O((size of the
   graph + waits) * log). */
enum status graph_add_waits(const struct graph *graph, struct graph_wait *wait, size_t waits,
                            struct graph **waiting, struct error *error);

#endif
