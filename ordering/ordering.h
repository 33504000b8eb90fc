#ifndef MEMPLAN_ORDERING_ORDERING_H
#define MEMPLAN_ORDERING_ORDERING_H

#include "planning/order/order.h"

/* The table of orders by rule. */
uint32_t ordering_count(void);
const struct order_row *ordering_at(uint32_t index);     /* index < ordering_count() */
const struct order_row *ordering_find(const char *name); /* NULL if there is none */

#endif
