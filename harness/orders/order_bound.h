#ifndef MEMPLAN_HARNESS_ORDERS_ORDER_BOUND_H
#define MEMPLAN_HARNESS_ORDERS_ORDER_BOUND_H

#include "planning/graph/graph.h"

/* *bound_bytes: no order of the operators has a lower load, by what has to be live when one
   operator runs and, of up to ORDER_BOUND_MOST_CUT operators, by the least cut through the tensors
   around it. 0 for a graph with control flow, whose loads are a policy's, or one too large for the
   memory that this may take. O(operators^2), and a maximum flow for each operator. */
enum { ORDER_BOUND_MOST_CUT = 1024 };
enum status order_bound_find(const struct graph *graph, uint64_t *bound_bytes, struct error *error);

#endif
