#ifndef MEMPLAN_RESULTS_VIEWS_ORDER_ROWS_H
#define MEMPLAN_RESULTS_VIEWS_ORDER_ROWS_H

#include "results/store/query.h"

/* Rows of graphs in several orders of their operators, as rows of one and the same graph, so that
   orders can be compared as planners are. */

/* Whether the operators of the row's graph are in their stored order. */
bool order_rows_is_stored(const struct result_row *row);

/* The length of the graph's name in the name of the row's instance: a graph in another order is
   called "name@order", and "name" where finding the order failed. */
size_t order_rows_measure_name(const struct result_row *row);

/* Gives every row of a graph the graph's own name as its instance and content, whatever order its
   operators are in, and adds the time that finding the order took to the row's time. O(rows). */
enum status order_rows_join(struct result_set *set, struct error *error);

/* Does what order_rows_join does, and then makes a competitor of each order: leaves one row for
   each graph, policy and order, whose planner is the name of the order. It is the row with the
   least peak of those planners that planned all orders of that graph under that policy, so that no
   order gains by being planned by more planners. The bound of a row is then the least peak that any
   order of the graph has under the policy. Graphs that are there in one order only are left out,
   and so are problems. O(rows log rows). */
enum status order_rows_compete(struct result_set *set, struct error *error);

#endif
