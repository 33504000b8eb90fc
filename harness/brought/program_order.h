#ifndef MEMPLAN_HARNESS_BROUGHT_PROGRAM_ORDER_H
#define MEMPLAN_HARNESS_BROUGHT_PROGRAM_ORDER_H

#include "harness/brought/program.h"
#include "planning/order/order.h"

/* An order that is a program of its own, its `rule`, without {capacity}. It reads the operators of
   one region as a graph without control flow in our JSON: operators are called by their positions,
   from 0, in stored order; one that owns regions stands there as one operator, with what these take
   as a tensor that nobody reads. It writes the names of the operators, one a line, in the order in
   which they are to run. A region of one operator is not asked about.

   Exit code 0: there is an order. 21: there is none. A file that is no order is an error. */
extern const struct program_kind program_order_kind;
enum status program_order_find(const struct order_row *row, const struct order_task *task,
                               uint32_t *permutation, struct order_report *report,
                               struct error *error);

#endif
