#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_RULES_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_RULES_H

#include "solvers/order_exact/search/search.h"

/* Improves *answer by the orders of ordering/ that are no choice of random and no best of others,
   one after another until the deadline. The time of each. */
enum status order_rules_try(const struct order_view *view, uint64_t deadline_ns,
                            struct order_answer *answer, struct error *error);

#endif
