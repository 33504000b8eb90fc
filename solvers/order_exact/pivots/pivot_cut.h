#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_PIVOTS_PIVOT_CUT_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_PIVOTS_PIVOT_CUT_H

#include "solvers/order_exact/model/cut.h"

/* The downset with the fewest live bytes among all of which some operators, the pivots, are members
   as told. */

struct order_pivot_cut {
    const struct order_model *model;
    struct order_cut cut;
    uint32_t *pivot; /* [pivots] */
    uint32_t pivots;
    uint64_t *chosen; /* [words] the pivots as a set */
    /* Of the set of pivots that is open: */
    uint32_t *ready; /* [readies] numbers of pivots: all that they wait for ran, and they did not */
    uint32_t readies;
    uint64_t *least, *most; /* [words] in all downsets asked for, in some of them */
    uint32_t *tie;          /* [readies] of the pivot */
    uint32_t *gate_tie;     /* [readies] of what stands for all that it waits for */
    uint32_t asked;         /* the last one asked for, by its place in ready */
    uint64_t flow_bytes;
};

enum status order_pivot_cut_create(const struct order_model *model, struct order_pivot_cut *cut,
                                   struct error *error);
void order_pivot_cut_free(struct order_pivot_cut *cut);

/* One more pivot. */
void order_pivot_cut_add(struct order_pivot_cut *cut, uint32_t op);

/* Opens a set of pivots that ran, and no others; none of them follows one that did not. Returns in
 *live_bytes the fewest live bytes. A flow over the operators that may have run or not. */
enum status order_pivot_cut_open(struct order_pivot_cut *cut, const uint64_t *set,
                                 uint64_t *live_bytes, struct error *error);

/* The fewest live bytes where all that the pivot ready[index] waits for ran too. The flow of the
   last answer goes on. */
uint64_t order_pivot_cut_before(struct order_pivot_cut *cut, uint32_t index);

/* The same behind that pivot, for which order_pivot_cut_before was asked last. */
uint64_t order_pivot_cut_after(struct order_pivot_cut *cut);

/* The largest downset for which the last answer is right, into downset[words]. O(arcs). */
void order_pivot_cut_downset(struct order_pivot_cut *cut, uint64_t *downset);

#endif
