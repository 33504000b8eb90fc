#ifndef MEMPLAN_ORDERING_COMMON_BEST_OF_H
#define MEMPLAN_ORDERING_COMMON_BEST_OF_H

#include "planning/order/order.h"

/* Takes the order of the least load among the orders of several rows, the first of equal ones. A
   row that uses it has best_of_order as `order`, and as `rule` an array of pointers to rows that
   ends in NULL. */
enum status best_of_order(const struct order_row *row, const struct order_task *task,
                          uint32_t *permutation, struct order_report *report, struct error *error);

#endif
