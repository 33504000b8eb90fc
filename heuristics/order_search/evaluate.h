#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_EVALUATE_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_EVALUATE_H

#include "heuristics/order_search/evaluator.h"

/* Places the buffers of a problem one after another in a given order, each at the lowest multiple
   of its alignment where all its bytes are free of the conflicting buffers placed before it, and
   returns the peak. Searches over orders do this thousands of times. A buffer with a window counts
   with all its bytes. Fixed buffers are placed before all others. */

/* The result of an evaluation whose peak passed the limit, or that ran out of time. */
#define EVALUATE_ABOVE UINT64_MAX

/* The peak of the order [movables], or EVALUATE_ABOVE as soon as it is above limit_bytes. The
   first `kept` buffers of the order keep the offsets that the caller gives them in offset
   [buffers]; the others that are placed get theirs there; fixed ones are not written. Nothing is
   allocated. O(c log c) for c conflicts of the buffers that are placed, near O(c) when most of them
   lie as in the last evaluation. */
uint64_t evaluate_order(struct evaluator *evaluator, const uint32_t *order, uint32_t kept,
                        uint64_t limit_bytes, uint64_t *offset);

/* A swap to be evaluated: an order [movables] in which the buffers at positions first < second have
   already changed places, and the offsets [buffers] that belong to the order before the swap. */
struct evaluate_swap {
    const uint32_t *order;
    uint32_t first, second;
    const uint64_t *base;
};

/* Evaluates the order after a swap. Gives the same peak and offsets as evaluate_order, but places
   only the two swapped buffers again and those that conflict with a buffer that has moved.
   evaluator->placed is not set, and predecessors are not updated. */
uint64_t evaluate_swapped(struct evaluator *evaluator, const struct evaluate_swap *swap,
                          uint64_t limit_bytes, uint64_t *offset);

#endif
