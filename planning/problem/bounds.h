#ifndef MEMPLAN_PLANNING_PROBLEM_BOUNDS_H
#define MEMPLAN_PLANNING_PROBLEM_BOUNDS_H

#include "planning/problem/problem.h"

/* Lower bounds on the peak of any plan that need no search. */

/* The greatest sum of live windows over all steps, and the first step where it is reached (step may
   be NULL). For a problem of clocks alone, the bytes of its heaviest antichain. O(segments log
   segments). */
enum status problem_load(const struct problem *problem, uint64_t *load_bytes, uint32_t *step,
                         struct error *error);

/* The greatest of the load, the size of any buffer and the end of any fixed buffer. O(segments log
   segments). */
enum status bound_peak_unrounded(const struct problem *problem, uint64_t *bytes,
                                 struct error *error);

/* In problems without windows, the load of the sizes rounded up to what divides all offsets of
   every plan: fixed offsets, and the alignments of the other buffers. */
struct rounded_load {
    uint64_t rounding; /* what divides them; 1 where nothing is rounded, and then bytes is 0 */
    uint64_t bytes;    /* the load less the most that rounding adds to a size; at least 0 */
    uint32_t step;     /* the first one where the load is reached */
};

/* O(segments log segments). */
enum status bound_rounded_load(const struct problem *problem, struct rounded_load *load,
                               struct error *error);

/* The greater of the last two. O(segments log segments). */
enum status bound_peak(const struct problem *problem, uint64_t *bytes, struct error *error);

#endif
