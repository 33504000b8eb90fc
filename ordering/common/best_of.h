#ifndef MEMPLAN_ORDERING_COMMON_BEST_OF_H
#define MEMPLAN_ORDERING_COMMON_BEST_OF_H

#include "planning/order/order.h"

/* Takes the order of the least load among those of several rows, the first of equal ones. Its own
   row has best_of_order as order and an array of rows, ending in NULL, as rule. */
enum status best_of_order(const struct order_row *row, const struct order_task *task,
                          uint32_t *permutation, struct order_report *report, struct error *error);

#endif
