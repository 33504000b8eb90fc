#ifndef MEMPLAN_HARNESS_ORDERS_ORDERS_H
#define MEMPLAN_HARNESS_ORDERS_ORDERS_H

#include "planning/order/order.h"

/* All orders of operators: those by rule first, then those that search. */
uint32_t orders_count(void);
const struct order_row *orders_at(uint32_t index);
const struct order_row *orders_find(const char *name); /* NULL if there is none */

/* A copy of the order "name" or "name?settings", or the one that a file says (order_file.h), which
   the caller frees with order_free; it borrows a file's path. STATUS_USAGE names what there is. */
enum status orders_configure(const char *name, struct order_row **configured, struct error *error);

#endif
