#ifndef MEMPLAN_PLANNING_ORDER_EVERY_ORDER_H
#define MEMPLAN_PLANNING_ORDER_EVERY_ORDER_H

#include "planning/order/graph_order.h"

/* Measures every order of the operators of all regions (graph_order_measure), where there are few
   enough for that and for the time. *complete says whether it did: then *order, which has to be
   some order of the graph before, is the first one of the least load, and *load_bytes that load. */
enum status every_order_find(const struct graph_order_task *task, struct graph_order *order,
                             uint64_t *load_bytes, bool *complete, struct error *error);

#endif
