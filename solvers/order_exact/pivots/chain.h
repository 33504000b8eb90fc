#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_PIVOTS_CHAIN_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_PIVOTS_CHAIN_H

#include "planning/order/order_load.h"
#include "solvers/order_exact/model/cut.h"
#include "solvers/order_exact/pivots/pivot_cut.h"

/* Makes an order of all operators from one of the pivots: before each pivot the downset runs that
   has the fewest live bytes there, in the order in which an operator that takes more than the bound
   is put off, and then one that adds more bytes. */
struct order_chain {
    struct order_pivot_cut *cut;
    struct order_cut between; /* two downsets */
    uint64_t bound_bytes;
    struct order_run run;
    uint64_t *downset;     /* [pivots + 1][words] before each pivot, and of all operators */
    uint64_t *ran;         /* [words] */
    uint64_t *least;       /* [words] */
    uint64_t *most;        /* [words] */
    uint32_t *permutation; /* [operators], filled */
    uint64_t *taken;       /* [operators] bytes, of those that are no pivots */
    uint32_t *place;       /* [operators] the downset with which it ran */
    size_t downset_capacity;
};

enum status order_chain_create(struct order_pivot_cut *cut, const struct order_model *model,
                               struct order_chain *chain, struct error *error);
void order_chain_free(struct order_chain *chain);

/* order[] are the numbers of all pivots in an order that the edges allow. O(operators^2) and a
   flow for each pivot. */
enum status order_chain_fill(struct order_chain *chain, const uint32_t *order, uint64_t bound_bytes,
                             struct error *error);

/* Of the operators that take more than the bound in the permutation and are no pivots, the one that
   would take most even if what runs between the same two pivots ran in the best order for it;
   ORDER_NONE where there is none. A flow for each such operator at most. */
enum status order_chain_find_worst(struct order_chain *chain, uint32_t *worst, struct error *error);

#endif
