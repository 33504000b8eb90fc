#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_SEARCH_SEARCH_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_SEARCH_SEARCH_H

#include "solvers/order_exact/model/answer.h"

/* Searches for an order of the least load among the downsets of a model. */

/* An exact best-first search: the state of the least load is expanded first. Improves *answer until
   its load is its bound, or a limit is reached; at a limit the bound is the least load of a state
   that is still to be expanded. */
enum status order_search(const struct order_model *model, const struct order_effort *effort,
                         struct order_answer *answer, struct error *error);

/* Keeps the `width` best states of each number of operators that ran, by load so far, then live
   bytes, or by live bytes alone; once the memory is used up it keeps only one of each. Improves
   *answer if it finds a better order, and proves nothing. O(operators * width * ready
   operators). */
enum status order_beam(const struct order_model *model, const struct order_effort *effort,
                       struct order_answer *answer, struct error *error);

#endif
