#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_SOLVE_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_SOLVE_H

#include "solvers/order_exact/model/answer.h"

/* Improves *answer by asking whether there is an order of a lower load (decide.h): either it gets
   one, or the answer is proved. In between it asks for far lower loads, which raises the bound.
   Each question may expand a number of states that grows from round to round. Ends when the load
   equals the bound, or at a limit. */
enum status order_solve(const struct order_model *model, const struct order_effort *effort,
                        struct order_answer *answer, struct error *error);

#endif
