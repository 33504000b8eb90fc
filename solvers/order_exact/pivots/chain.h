#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_PIVOTS_CHAIN_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_PIVOTS_CHAIN_H

#include "planning/order/order_load.h"
#include "solvers/order_exact/model/cut.h"
#include "solvers/order_exact/pivots/pivot_cut.h"

/* Makes an order of all operators from one of the pivots. Before each pivot the downset runs that
   has the fewest live bytes there. Within it operators that take more than the bound run as late as
   possible, and of the others those come first behind which the fewest bytes are live. */
struct order_chain {
    struct order_pivot_cut *cut;
    struct order_cut between; /* finds the fewest live bytes between two downsets */
    uint64_t bound_bytes;
    struct order_run run;
    uint64_t *downset;     /* [pivots + 1][words] before each pivot, and of all operators */
    uint64_t *ran;         /* [words] */
    uint64_t *least;       /* [words] */
    uint64_t *most;        /* [words] */
    uint32_t *permutation; /* [operators], filled */
    uint64_t *taken;       /* [operators] bytes that it takes, 0 for pivots */
    uint32_t *runs_with;   /* [operators] number of the downset with which it runs */
    size_t downset_capacity;
};

/* The cut must outlive the chain. */
enum status order_chain_create(struct order_pivot_cut *cut, const struct order_model *model,
                               struct order_chain *chain, struct error *error);
void order_chain_free(struct order_chain *chain);

/* Fills the permutation. order[] has the numbers of all pivots in an order that the edges allow.
   O(operators^2) and a flow for each pivot. */
enum status order_chain_fill(struct order_chain *chain, const uint32_t *order, uint64_t bound_bytes,
                             struct error *error);

/* Of the operators that take more than the bound in the permutation and are no pivots, the one that
   would take most even if what runs between the same two pivots ran in the best order for it;
   ORDER_NONE where there is none. A flow for each such operator at most. */
enum status order_chain_find_worst(struct order_chain *chain, uint32_t *worst, struct error *error);

#endif
