#ifndef MEMPLAN_HARNESS_ORDERS_ORDER_BOUND_H
#define MEMPLAN_HARNESS_ORDERS_ORDER_BOUND_H

#include "planning/inplace/inplace.h"

/* Finds *bound_bytes: under the in-place rules no order of the operators has a lower load, whatever
   the policy. It is found from what has to be live when one operator runs and, for up to
   ORDER_BOUND_MOST_CUT operators, from the least cut through the tensors around it. For a graph
   that is too large for the memory that this takes, 20 000 operators and as many tensors, it is
   found only from what an operator reads and writes, and from the inputs and the outputs. 0 for a
   graph with control flow, whose loads depend on the policy. O(operators^2 / 64), and a maximum
   flow for each operator; O(uses) for large ones. */
enum { ORDER_BOUND_MOST_CUT = 1024 };
enum status order_bound_find(const struct graph *graph, const struct inplace_choice *inplace,
                             uint64_t *bound_bytes, struct error *error);

#endif
