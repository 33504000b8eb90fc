#ifndef MEMPLAN_TESTS_ORDERING_REGION_H
#define MEMPLAN_TESTS_ORDERING_REGION_H

#include "core/random.h"
#include "planning/order/order_view.h"

/* Small graphs without control flow that have all that an order may meet: several sinks, parts that
   have nothing to do with each other, operators that write nothing or what nobody reads, inputs
   read twice, tensors that are read and kept, external ones, control edges. Anything that fails
   ends the test case. */
struct graph *region_graph(struct random_state *random, uint32_t operators);

/* A graph whose tensors have one reader each: a tree, whose operators have one reader each; or,
   with forks, one whose operators may write several tensors, each for a branch of its own that ends
   in one operator with the others. */
struct graph *region_tree(struct random_state *random, uint32_t operators, bool forks);

/* The view of a graph; overwrite: under the in-place rules `declared`. */
struct order_view *region_view(const struct graph *graph, bool overwrite);

/* The least load of all orders, by a look at every set of operators that may have run; at most 16
   operators. */
uint64_t region_least_load(const struct order_view *view);

/* True if the operator has not run and all that it waits for has. Bit v of set: v ran. */
bool region_may_run(const struct order_view *view, uint32_t set, uint32_t op);

#endif
