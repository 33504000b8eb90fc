#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_FORCED_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_FORCED_H

#include "solvers/order_exact/model/cursor.h"

/* Bundles that may run at once, as no order gains by letting them wait: they add nothing to the
   live bytes, and take no more than a limit that the search has to stay below anyway. */

/* Runs all bundles that are forced: they add nothing to the live bytes and take no more than
   limit_bytes. *must_live_bytes as of order_cursor_run. */
void order_forced_run(struct order_cursor *cursor, uint64_t limit_bytes, uint64_t *must_live_bytes);

/* Guesses whether another bundle will be forced once that of `op` has run. It is rarely wrong where
   it says no. O(uses of the tensors that the bundle reads, and of its successors). */
bool order_forced_may_follow(const struct order_cursor *cursor, uint32_t op);

#endif
