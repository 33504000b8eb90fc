#ifndef MEMPLAN_HARNESS_ORDERS_ORDER_FILE_H
#define MEMPLAN_HARNESS_ORDERS_ORDER_FILE_H

#include "planning/order/order.h"

/* Orders that are written in a file: the names of all operators, one a line; those of a region in
   the order in which they run, wherever other regions' stand between them. */

/* True if the text names such a file rather than an order: if it ends in .txt or has a slash. */
bool order_file_is(const char *name);

/* An order that reads the file, whose path is its name; the caller frees it with order_free. When
   it is asked for the operators of a region, STATUS_BAD_INPUT names the line, or the operator that
   is missing; an order that breaks an edge is left to who asked. */
enum status order_file_create(const char *path, struct order_row **created, struct error *error);

#endif
