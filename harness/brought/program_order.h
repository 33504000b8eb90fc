#ifndef MEMPLAN_HARNESS_BROUGHT_PROGRAM_ORDER_H
#define MEMPLAN_HARNESS_BROUGHT_PROGRAM_ORDER_H

#include "harness/brought/program.h"
#include "planning/order/order.h"

/* An order that is a program of its own, its `rule`, without {capacity}. It reads the operators of
   one region as a graph without control flow in our JSON: operators are named by their positions,
   from 0, in stored order. An operator that owns regions is one operator there, and the memory of
   its regions is a tensor that nothing reads. It writes the names of the operators, one a line, in
   the order in which they are to run. The program is not called for a region of one operator.

   Exit code 0: there is an order. 21: there is none. A file that is no order is an error. */
extern const struct program_kind program_order_kind;
enum status program_order_find(const struct order_row *row, const struct order_task *task,
                               uint32_t *permutation, struct order_report *report,
                               struct error *error);

#endif
