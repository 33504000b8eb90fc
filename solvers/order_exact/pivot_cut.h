#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_PIVOT_CUT_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_PIVOT_CUT_H

#include "solvers/order_exact/flow.h"
#include "solvers/order_exact/model.h"

/* The downset with the fewest live bytes among all of which some operators, the pivots, are members
   as told. One network answers for all sets of pivots: what flowed for the last question is where
   the flow for the next one begins. Zero-initialise it. */

struct order_pivot_cut {
    const struct order_model *model;
    const uint32_t *pivot; /* [pivots] */
    uint32_t pivots;
    struct flow flow;
    uint64_t always_bytes; /* live in every downset */
    uint64_t flow_bytes;
    uint32_t *tie; /* [pivots] of each, then [pivots] of what each has to wait for */
    size_t tie_capacity;
};

/* For pivots that stay where they are. O(uses). */
enum status order_pivot_cut_start(struct order_pivot_cut *cut, const struct order_model *model,
                                  const uint32_t *pivot, uint32_t pivots, struct error *error);
void order_pivot_cut_free(struct order_pivot_cut *cut);

/* The fewest live bytes where of the pivots just those in the set ran; no pivot in it follows one
   that is not. */
uint64_t order_pivot_cut_live(struct order_pivot_cut *cut, const uint64_t *set);

/* The same where everything that the given pivot (by its number), which is not in the set, has to
   wait for ran too. */
uint64_t order_pivot_cut_before(struct order_pivot_cut *cut, const uint64_t *set, uint32_t pivot);

/* The largest downset for which the last answer is right, into downset[words]. O(arcs). */
void order_pivot_cut_downset(struct order_pivot_cut *cut, uint64_t *downset);

#endif
