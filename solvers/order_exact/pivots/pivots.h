#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_PIVOTS_PIVOTS_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_PIVOTS_PIVOTS_H

#include "solvers/order_exact/search/search.h"

/* A bound from the best order of a few operators, the pivots: bytes are counted only while a pivot
   runs, and of the other operators those have run by then that leave the fewest live bytes. The
   more pivots, the higher the bound; with all operators it is the least load. The search goes
   best-first through the sets of pivots that may have run. Once it has their best order, it fills
   that up to an order of all operators; what takes most there is the next pivot. */
struct order_pivots;

enum status order_pivots_create(const struct order_model *model, const struct order_effort *effort,
                                struct order_pivots **pivots, struct error *error);
void order_pivots_free(struct order_pivots *pivots); /* NULL is fine */
SCOPED_POINTER(struct order_pivots, order_pivots_release, order_pivots_free);

/* Goes on for `states` more sets of pivots; raises the bound of the answer and lowers its load.
   Ends early where the answer is proved, at a limit, or where more pivots are of no use. O(pivots
   that may run * flows) for each. */
enum status order_pivots_run(struct order_pivots *pivots, uint64_t states,
                             struct order_answer *answer, struct error *error);

/* More pivots are of no use: no operator takes more than the bound in the order that they make. */
bool order_pivots_are_useless(const struct order_pivots *pivots);

#endif
