#ifndef MEMPLAN_HARNESS_CATALOGUE_ORDERS_H
#define MEMPLAN_HARNESS_CATALOGUE_ORDERS_H

#include "planning/order/order.h"

/* All built-in orders of operators: those by rule first, then those that search. */
uint32_t orders_count(void);
const struct order_row *orders_at(uint32_t index);
const struct order_row *orders_find(const char *name); /* NULL if there is none */

#endif
