#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_SEARCH_PIVOTS_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_SEARCH_PIVOTS_H

#include "solvers/order_exact/model/answer.h"

/* A bound from the best order of a few operators, the pivots: bytes are counted only while a pivot
   runs, as if of the other operators those had run that leave the fewest live bytes. More pivots
   give a higher bound; with all operators as pivots it is the least load. The search goes
   best-first through the sets of pivots that may have run. When it has the best order of the
   pivots, it extends it to an order of all operators; the operator that takes most there is the
   next pivot. */
struct order_pivots;

enum status order_pivots_create(const struct order_model *model, const struct order_effort *effort,
                                struct order_pivots **pivots, struct error *error);
void order_pivots_free(struct order_pivots *pivots); /* NULL is fine */
SCOPED_POINTER(struct order_pivots, order_pivots_release, order_pivots_free);

/* Expands `states` more sets of pivots; raises the bound of the answer and lowers its load. Ends
   early if the answer is proved, at a limit, or if more pivots are useless. O(pivots that may run *
   flows) for each. */
enum status order_pivots_run(struct order_pivots *pivots, uint64_t states,
                             struct order_answer *answer, struct error *error);

/* Whether more pivots are useless: no operator takes more than the bound in the order that the
   pivots give. */
bool order_pivots_are_useless(const struct order_pivots *pivots);

#endif
