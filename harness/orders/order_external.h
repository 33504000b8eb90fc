#ifndef MEMPLAN_HARNESS_ORDERS_ORDER_EXTERNAL_H
#define MEMPLAN_HARNESS_ORDERS_ORDER_EXTERNAL_H

#include "planning/order/order.h"

/* An order that is a program of its own (harness/planners/program.h), without {capacity}. It reads
   the operators of one region as a graph without control flow in our JSON: operators are called by
   their positions, from 0, in stored order; one that owns regions stands there as one operator,
   with what these take as a tensor that nobody reads. It writes the names of the operators, one a
   line, in the order in which they are to run. A region of one operator is not asked about.

   Exit code 0: there is an order. 21: there is none. Any other, a signal, and a file that is no
   order are errors. */
struct order_external;

/* From "name=command"; fails as program_create does. The caller frees it, which ends its order. */
enum status order_external_create(const char *definition, struct order_external **created,
                                  struct error *error);
void order_external_free(struct order_external *external); /* NULL is fine */

const struct order_row *order_external_row(const struct order_external *external);

#endif
