#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_FORCED_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_FORCED_H

#include "solvers/order_exact/model/cursor.h"

/* Forced bundles: they may run at once, since no order gains by letting them wait. They add nothing
   to the live bytes, and take no more than a limit that the search has to keep to anyway. */

/* Runs all forced bundles, with the limit limit_bytes. *must_live_bytes as in order_cursor_run. */
void order_forced_run(struct order_cursor *cursor, uint64_t limit_bytes, uint64_t *must_live_bytes);

/* Guesses whether another bundle will be forced once that of `op` has run. It is rarely wrong where
   it says no. O(uses of the tensors that the bundle reads, and of its successors). */
bool order_forced_may_follow(const struct order_cursor *cursor, uint32_t op);

#endif
