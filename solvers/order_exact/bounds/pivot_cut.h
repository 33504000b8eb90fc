#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_BOUNDS_PIVOT_CUT_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_BOUNDS_PIVOT_CUT_H

#include "core/scratch.h"
#include "solvers/order_exact/bounds/cut.h"

/* Pivots are some chosen operators. For a given set of pivots this finds, of all downsets with
   exactly these pivots, the one with the fewest live bytes. */

struct order_pivot_cut {
    const struct order_model *model;
    struct order_cut cut;
    uint32_t *pivot; /* [pivots] */
    uint32_t pivots;
    uint64_t *chosen; /* [words] the pivots as a set */
    /* About the set of pivots that is open: */
    uint32_t *ready; /* [readies] numbers of pivots that have not run although all pivots before
                        them have */
    uint32_t readies;
    uint64_t *least,
        *most;          /* [words] the operators in all, and in any, of the downsets asked for */
    uint32_t *tie;      /* [readies] the tie of the pivot's vertex */
    uint32_t *gate_tie; /* [readies] the tie of the pivot's gate, a vertex that stands for all its
                           ancestors */
    uint32_t asked;     /* position in ready of the last pivot asked for */
    uint64_t flow_bytes;
    struct scratch memory;
};

enum status order_pivot_cut_create(const struct order_model *model, struct order_pivot_cut *cut,
                                   struct error *error);
void order_pivot_cut_free(struct order_pivot_cut *cut);

/* Makes the operator a pivot. */
void order_pivot_cut_add(struct order_pivot_cut *cut, uint32_t op);

/* Opens a set of pivots that have run, while the others have not; none of the set follows one of
   the others. *live_bytes is the fewest live bytes of any such downset. A flow over the operators
   that may or may not have run. */
enum status order_pivot_cut_open(struct order_pivot_cut *cut, const uint64_t *set,
                                 uint64_t *live_bytes, struct error *error);

/* The fewest live bytes right before the pivot ready[index], when all its ancestors have run, too.
   Continues from the flow of the last answer. */
uint64_t order_pivot_cut_before(struct order_pivot_cut *cut, uint32_t index);

/* The fewest live bytes right behind the pivot for which order_pivot_cut_before was called last. */
uint64_t order_pivot_cut_after(struct order_pivot_cut *cut);

/* Fills downset[words] with the largest downset that has the live bytes of the last answer.
   O(arcs). */
void order_pivot_cut_downset(struct order_pivot_cut *cut, uint64_t *downset);

#endif
