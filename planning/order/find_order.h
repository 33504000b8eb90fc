#ifndef MEMPLAN_PLANNING_ORDER_FIND_ORDER_H
#define MEMPLAN_PLANNING_ORDER_FIND_ORDER_H

#include "planning/order/graph_order.h"

/* Orders every region by the row, the innermost first: an operator with regions takes, in the
   region around it, what the orders of its regions make it take. *report tells of the graph itself:
   its load is that of the view, which lifetimes may not agree with (graph_order_measure), its bound
   holds for the lifetimes of all orders. With control flow a row that may prove one measures
   all orders, of which the best is found, or is asked for the bound apart, under
   ORDER_OWNERS_LEAST. A region whose order failed keeps the stored
   one, and the report has the failure's status. STATUS_BAD_INPUT where what the row makes is no
   order, STATUS_NO where it has another load than the row says. */
enum status graph_order_find(const struct order_row *row, const struct graph_order_task *task,
                             struct graph_order **order, struct order_report *report,
                             struct error *error);

/* The load that the orders give the graph itself, each region counted as in graph_order_find. */
enum status graph_order_load(const struct graph_order_task *task, const struct graph_order *order,
                             uint64_t *load_bytes, struct error *error);

#endif
