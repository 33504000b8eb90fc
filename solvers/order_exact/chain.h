#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_CHAIN_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_CHAIN_H

#include "planning/order/order_load.h"
#include "solvers/order_exact/pivot_cut.h"

/* Makes an order of all operators from one of the pivots: before each pivot the downset runs that
   has the fewest live bytes there, in the order in which an operator that takes more than the bound
   is put off, and then one that adds more bytes. */
struct order_chain {
    struct order_pivot_cut *cut;
    uint64_t bound_bytes;
    struct order_run run;
    uint64_t *ran, *downset; /* [words] */
    uint32_t *permutation;   /* [operators], filled */
    uint64_t worst_bytes;    /* that an operator takes which is no pivot */
    uint32_t worst;          /* the first one of these; ORDER_NONE */
};

enum status order_chain_create(struct order_pivot_cut *cut, const struct order_model *model,
                               struct order_chain *chain, struct error *error);
void order_chain_free(struct order_chain *chain);

/* pivots[] are the numbers of all pivots in an order that the edges allow. O(operators^2) and a
   flow for each pivot. */
void order_chain_fill(struct order_chain *chain, const uint32_t *order, uint64_t bound_bytes);

#endif
