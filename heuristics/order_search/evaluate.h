#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_EVALUATE_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_EVALUATE_H

#include "heuristics/order_search/evaluator.h"

/* Places the buffers of a problem one after another in an order, each at the lowest multiple of its
   alignment where all its bytes are free of the conflicting buffers placed before it, and gives the
   peak: what a search over orders asks thousands of times. Whole buffers count where only a window
   is used. Fixed buffers are placed before all others. */

/* What evaluations give once the peak passed its limit, or the time its. */
#define EVALUATE_ABOVE UINT64_MAX

/* The peak of the order [movables], or EVALUATE_ABOVE as soon as it is above limit_bytes. The
   first `kept` buffers of the order keep the offsets that the caller gives them in offset
   [buffers]; the others that are placed get theirs there; fixed ones are not written. Nothing is
   allocated. O(c log c) for c conflicts of the buffers that are placed, near O(c) when most of them
   lie as in the last evaluation. */
uint64_t evaluate_order(struct evaluator *evaluator, const uint32_t *order, uint32_t kept,
                        uint64_t limit_bytes, uint64_t *offset);

/* An order [movables] in which the buffers at positions first < second have changed places, and the
   offsets [buffers] of the order before that. */
struct evaluate_swap {
    const uint32_t *order;
    uint32_t first, second;
    const uint64_t *base;
};

/* evaluate_order of the order of the swap: the same peak and offsets, but only the two and what
   conflicts with something that moved is placed anew. placed is not set, and predecessors are not
   kept up. */
uint64_t evaluate_swapped(struct evaluator *evaluator, const struct evaluate_swap *swap,
                          uint64_t limit_bytes, uint64_t *offset);

#endif
