#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_RULES_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_RULES_H

#include "solvers/order_exact/model/answer.h"

/* Runs the orders of ordering/ one after another until the deadline, and takes each that is better
   into *answer. Random orders, and rows that only choose the best of others, are left out. Costs
   the sum of what the orders cost. */
enum status order_rules_try(const struct order_view *view, uint64_t deadline_ns,
                            struct order_answer *answer, struct error *error);

#endif
