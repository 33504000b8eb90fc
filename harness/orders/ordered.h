#ifndef MEMPLAN_HARNESS_ORDERS_ORDERED_H
#define MEMPLAN_HARNESS_ORDERS_ORDERED_H

#include "datasets/instance.h"
#include "planning/order/graph_order.h"

/* A graph whose operators were put into another order, checked against the one that it was made
   of. */

struct ordered_request {
    const struct instance *instance; /* one that has a graph */
    const struct order_row *row;
    const struct policy *policy; /* says how regions take space; NULL: flat */
    struct inplace_choice inplace;
    uint64_t time_limit_ns, memory_limit_bytes, seed; /* UINT64_MAX: no limit */
    bool pin_io; /* plans keep inputs and outputs for the whole run, which orders know nothing of */
};

struct ordered {
    struct instance *instance;  /* that of the request, in the order that was found */
    struct graph_order *order;  /* order of the request's graph */
    struct order_report report; /* its load is that of the lifetimes (graph_order_measure), and it
                                   is optimal only where no order has a lower one */
    uint64_t wall_ns;           /* the time that finding the order took */
    bool plans_agree; /* plans have that load: not with pinned tensors, nor on several streams */
};

/* Finds the order in a process of its own (order_process.h), makes the graph in that order and
   checks it. STATUS_NO, with what is wrong, where the order breaks an edge of the graph, has
   another load than it claims or a load below its own bound, or where the process crashed;
   STATUS_LIMIT where no order was found; STATUS_USAGE for an instance without a graph. Where it
   fails, only report.status is set, as order_process_find says. */
enum status ordered_create(const struct ordered_request *request, struct ordered *ordered,
                           struct error *error);
void ordered_clear(struct ordered *ordered);

/* Compares the claims about the order, among them the least load of all orders, with a plan of its
   instance: STATUS_NO where the plan has another load though it should agree, or a peak below that
   least load. */
enum status ordered_check_plan(const struct ordered *ordered, const struct measures *measures,
                               uint64_t bound_bytes, struct error *error);

#endif
