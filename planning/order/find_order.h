#ifndef MEMPLAN_PLANNING_ORDER_FIND_ORDER_H
#define MEMPLAN_PLANNING_ORDER_FIND_ORDER_H

#include "planning/order/graph_order.h"

/* Orders every region by the row, the innermost first: an operator with regions takes, in the
   region around it, what the orders of its regions make it take. *report is about the graph itself.
   Its load is that of the view, which may differ from what lifetimes say (graph_order_measure). Its
   bound holds for the lifetimes of all orders: with control flow, a row that may prove a bound
   either measures all orders and finds the best, or is asked once more for the bound alone, under
   ORDER_OWNERS_LEAST. A region whose order failed keeps the stored order, and the report has the
   failure's status. STATUS_BAD_INPUT where the row makes something that is no order, STATUS_NO
   where the order has another load than the row says. */
enum status graph_order_find(const struct order_row *row, const struct graph_order_task *task,
                             struct graph_order **order, struct order_report *report,
                             struct error *error);

/* The load of the graph itself under the orders, with each region counted as in
   graph_order_find. */
enum status graph_order_load(const struct graph_order_task *task, const struct graph_order *order,
                             uint64_t *load_bytes, struct error *error);

#endif
