#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_SEARCH_SEARCH_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_SEARCH_SEARCH_H

#include "solvers/order_exact/model/model.h"

/* Searches for an order of the least load among the downsets of a model. */

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
