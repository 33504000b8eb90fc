#ifndef MEMPLAN_PROOFS_CHECKER_BOUNDS_H
#define MEMPLAN_PROOFS_CHECKER_BOUNDS_H

#include "proofs/checker/problem.h"

/* What is known of the plans that fit the capacity while a clause is proved: where each buffer can
   lie. It is true of every such plan for which the clause is false; once it is absurd, there is
   none. */
struct bounds {
    const struct problem *problem;
    int64_t capacity;
    int64_t *step;       /* [buffers] what divides the offset: its alignment or the unit */
    int64_t *low, *high; /* [buffers] least and greatest offset */
    bool *is_used;       /* [buffers] whether the proof is about it; of others nothing is known */
    bool *is_touched;    /* [buffers] whether it has other values than at the beginning */
    uint32_t *touched;   /* [touched_count] buffers */
    uint32_t touched_count;
    bool absurd;
    bool absurd_at_first; /* no plan at all fits the capacity */
};

/* Takes the arrays, with no buffer used. */
bool check_bounds_create(struct bounds *bounds, const struct problem *problem, struct fault *fault);
void check_bounds_free(struct bounds *bounds);

/* Begins, once the buffers used are known. A fault where the unit does not divide some used
   buffer's size, windows and fixed offset, or is neither a divisor nor a multiple of its alignment.
 */
bool check_bounds_begin(struct bounds *bounds, int64_t capacity, int64_t unit, struct fault *fault);

/* Forgets all that was raised or lowered. O(buffers touched). */
void check_bounds_restart(struct bounds *bounds);
void check_bounds_raise(struct bounds *bounds, uint32_t buffer, int64_t low);
void check_bounds_lower(struct bounds *bounds, uint32_t buffer, int64_t high);

#endif
