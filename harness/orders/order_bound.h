#ifndef MEMPLAN_HARNESS_ORDERS_ORDER_BOUND_H
#define MEMPLAN_HARNESS_ORDERS_ORDER_BOUND_H

#include "planning/graph/graph.h"

/* *bound_bytes: no order of the operators has a lower load, whether outputs may be written over
   inputs or not. By what has to be live when one operator runs and, of up to ORDER_BOUND_MOST_CUT
   operators, by the least cut through the tensors around it; of a graph that is too large for the
   memory that this takes, 20 000 operators and as many tensors, only by what an operator reads and
   writes, and by the inputs and the outputs. 0 for a graph with control flow, whose loads are a
   policy's. O(operators^2 / 64), and a maximum flow for each operator; O(uses) of large ones. */
enum { ORDER_BOUND_MOST_CUT = 1024 };
enum status order_bound_find(const struct graph *graph, bool overwrite, uint64_t *bound_bytes,
                             struct error *error);

#endif
