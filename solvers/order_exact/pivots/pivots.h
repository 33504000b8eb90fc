#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_PIVOTS_PIVOTS_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_PIVOTS_PIVOTS_H

#include "solvers/order_exact/search/search.h"

/* A bound from the best order of a few operators, the pivots: only while one of them runs is
   anything counted, and what else ran by then is whatever leaves the fewest live bytes. The more
   pivots, the higher the bound; with all operators it is the least load. The search goes best-first
   through the sets of pivots that may have run; where it finds their best order, that is filled up
   to one of all operators, and what takes most there is the next pivot. */
struct order_pivots;

enum status order_pivots_create(const struct order_model *model, const struct order_effort *effort,
                                struct order_pivots **pivots, struct error *error);
void order_pivots_free(struct order_pivots *pivots); /* NULL is fine */

/* Goes on for so many sets of pivots; raises the bound of the answer and lowers its load. Ends
   early where the answer is proved, at a limit, or where more pivots are of no use.
   O(pivots that may run * flows) for each. */
enum status order_pivots_run(struct order_pivots *pivots, uint64_t states,
                             struct order_answer *answer, struct error *error);

/* More pivots are of no use: no operator takes more than the bound in the order that they make. */
bool order_pivots_are_useless(const struct order_pivots *pivots);

#endif
