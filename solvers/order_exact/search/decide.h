#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_SEARCH_DECIDE_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_SEARCH_DECIDE_H

#include "solvers/order_exact/model/answer.h"

/* The answer to: is there an order whose load is at most `capacity_bytes`? */
enum order_decision {
    ORDER_YES,
    ORDER_NO,
    ORDER_OUT_OF_STATES,
    ORDER_OUT_OF_TIME,
    ORDER_OUT_OF_MEMORY
};

/* A depth-first search through the downsets that can be reached within a capacity. What it finds
   out is kept for the next question if that has the same capacity or a lower one. */
struct order_decider;

/* The model and the effort must outlive the decider. */
enum status order_decider_create(const struct order_model *model, const struct order_effort *effort,
                                 struct order_decider **decider, struct error *error);
void order_decider_free(struct order_decider *decider); /* NULL is fine */
SCOPED_POINTER(struct order_decider, order_decider_release, order_decider_free);

/* The search may expand `states` downsets, beside those of earlier questions. */
struct order_question {
    uint64_t capacity_bytes, states;
};
/* Fills permutation[operators] if the decision is ORDER_YES. */
enum status order_decider_ask(struct order_decider *decider, const struct order_question *question,
                              uint32_t *permutation, enum order_decision *decision,
                              struct error *error);
uint64_t order_decider_states(const struct order_decider *decider); /* expanded so far */

#endif
