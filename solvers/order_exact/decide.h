#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_DECIDE_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_DECIDE_H

#include "solvers/order_exact/search.h"

/* Is there an order whose load is at most `capacity_bytes`? */
enum order_decision {
    ORDER_YES,
    ORDER_NO,
    ORDER_OUT_OF_STATES,
    ORDER_OUT_OF_TIME,
    ORDER_OUT_OF_MEMORY
};

/* Depth-first through the downsets that can be reached within the capacity; `states` of them at
   most, and adds those that it expanded to *states_done. Fills permutation[operators] on yes. */
struct order_question {
    uint64_t capacity_bytes, states;
};
enum status order_decide(const struct order_model *model, const struct order_question *question,
                         const struct order_effort *effort, uint32_t *permutation,
                         enum order_decision *decision, uint64_t *states_done, struct error *error);

#endif
