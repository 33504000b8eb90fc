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

/* Does what graph_order_find does. STATUS_LIMIT where no order was found; report.status then says
   why: timeout, memout or unsupported. The process is killed, which counts as timeout, where it
   does not end within its time limit, a quarter of that and 5 s. It cannot have more memory than
   its limit, a quarter of that and 64 MiB on top of what this process holds. STATUS_NO and
   report.status crash where it ended without an answer. */
enum status order_process_find(const struct order_row *row, const struct graph_order_task *task,
                               struct order_answer *answer, struct error *error);

#endif
