#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_RULES_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_RULES_H

#include "solvers/order_exact/search/search.h"

/* Runs the orders of ordering/ one after another until the deadline, and improves *answer by each
   that is better. Random orders, and those that only take the best of others, are left out. The
   time is the sum of theirs. */
enum status order_rules_try(const struct order_view *view, uint64_t deadline_ns,
                            struct order_answer *answer, struct error *error);

#endif
