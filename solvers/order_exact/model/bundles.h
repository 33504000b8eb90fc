#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_BUNDLES_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_BUNDLES_H

#include "solvers/order_exact/model/model.h"

/* Decides which operators of a model are lazy, so that they run only in the bundles of others, as
   its rules ask for, and fills what follows from that: lazy, lazies, base, above, heads, used_by
   and most_uses. The arrays are there and zero, left_bytes, ancestors and descendants are filled.
   O(uses * operators). */
enum status order_bundles_fill(struct order_model *model, struct error *error);

#endif
