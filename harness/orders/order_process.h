#ifndef MEMPLAN_HARNESS_ORDERS_ORDER_PROCESS_H
#define MEMPLAN_HARNESS_ORDERS_ORDER_PROCESS_H

#include "planning/order/graph_order.h"

/* Finds orders in a process of their own, so that one that crashes, hangs or takes all memory costs
   only itself. The process is a copy of this one (fork), which must not have started threads; what
   orders print there goes to standard error. */

struct order_answer {
    struct graph_order *order; /* NULL where none was found */
    struct order_report report;
    uint64_t wall_ns; /* the time that finding it took, without starting the process */
};

/* As graph_order_find. STATUS_LIMIT where the order found none: report.status is timeout, also
   where it did not stop by itself within 5 s and a quarter of its time limit after that limit;
   memout, also where it has a quarter more than its memory limit and 64 MiB on top of what this
   process holds; or unsupported. STATUS_NO and report.status crash where it ended without an
   answer. */
enum status order_process_find(const struct order_row *row, const struct graph_order_task *task,
                               struct order_answer *answer, struct error *error);

#endif
