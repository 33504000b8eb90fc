#ifndef MEMPLAN_PLANNING_VERIFY_ORDER_H
#define MEMPLAN_PLANNING_VERIFY_ORDER_H

#include "planning/graph/graph.h"

/* Checks a graph whose operators were put into another order against the graph that it was made
   from. Shares no code with planning/order or with anything that finds orders. */

/* STATUS_NO, with a text that names the operators, unless
   - both have the same tensors, inputs and outputs, and the same operators, each once, in the same
     region and with the same inputs, outputs, carried values and yields;
   - each operator stands behind the operators that write what it names, and behind those that it
     waits for;
   - operators that write nothing, whose effect is outside the graph, stand in the same order as
     before.
   O(size of the graphs). */
enum status verify_order(const struct graph *graph, const struct graph *reordered,
                         struct error *error);

/* The most bytes that are live at an operator of a graph without control flow, by its tensors'
   lifetimes, where nothing is written over anything. O(size of the graph). */
enum status verify_order_load(const struct graph *graph, uint64_t *load_bytes, struct error *error);

#endif
