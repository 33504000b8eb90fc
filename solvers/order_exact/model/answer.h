#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_ANSWER_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_ANSWER_H

#include "solvers/order_exact/model/model.h"

/* What is known of a model's best order: an order, and a lower bound on the load of all orders. */
struct order_answer {
    uint32_t *permutation; /* [operators] */
    uint64_t load_bytes;   /* of the permutation */
    uint64_t bound_bytes;
    uint64_t states; /* expanded so far */
};

struct order_effort {
    uint64_t deadline_ns; /* of clock_deadline_ns */
    uint64_t most_bytes;  /* of memory for the states */
    uint32_t width;       /* states that a beam keeps of each number of operators that ran */
    bool fewest_live; /* a beam keeps the states of the fewest live bytes, else of the least load */
    const uint64_t *lane; /* [lanes][words] downsets, each contained in the next one: a beam runs
                             all operators of one before the others of the next, as far as it can */
    uint32_t lanes;
};

#endif
