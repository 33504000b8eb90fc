#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_SOLVE_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_SOLVE_H

#include "solvers/order_exact/search/search.h"

/* Improves *answer by questions: is there an order of a lower load (decide.h)? A yes gives one, a
   no proves the answer. In between it asks for far lower loads, which raises the bound. Each
   question may expand a number of states that grows from round to round. Ends when the load is the
   bound, or at a limit. */
enum status order_solve(const struct order_model *model, const struct order_effort *effort,
                        struct order_answer *answer, struct error *error);

#endif
