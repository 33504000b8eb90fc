#ifndef MEMPLAN_PLANNING_ORDER_GRAPH_REORDER_H
#define MEMPLAN_PLANNING_ORDER_GRAPH_REORDER_H

#include "planning/order/graph_order.h"

/* A new graph whose operators run in the order; all else, the numbers of tensors too, is the same.
   The caller frees it. STATUS_BAD_INPUT where an operator stands before what it needs. O(size of
   the graph). */
enum status graph_reorder(const struct graph *graph, const struct graph_order *order,
                          struct graph **reordered, struct error *error);

#endif
