#ifndef MEMPLAN_PLANNING_VERIFY_PROBLEM_ORIENTATION_H
#define MEMPLAN_PLANNING_VERIFY_PROBLEM_ORIENTATION_H

#include "planning/problem/problem.h"
#include "planning/verify/verdict.h"

/* Which buffers are listed as lying below each: below[first[b]] .. below[first[b + 1] - 1]. */
struct below_lists {
    const uint32_t *first; /* [buffers + 1] */
    const uint32_t *below;
};

/* Checks that the lists make a plan that is safe for all sizes: nothing lies below itself, and of
   each two buffers that conflict one lies below the other, maybe by way of others. Along the steps
   with the live buffers in an order that the lists agree with: each one that begins has to lie
   above the next one below it and below the next one above it. O(segments log buffers) where these
   pairs are listed, and O(pairs listed) more for each that is not. Fails only for lack of memory.
   The problem has no clocks. */
enum status verify_orientation(const struct problem *problem, const struct below_lists *lists,
                               struct verdict *verdict, struct error *error);

/* Says in one sentence what verify_orientation found; cut to text_bytes. */
void verify_orientation_describe(const struct problem *problem, const struct verdict *verdict,
                                 char *text, size_t text_bytes);

#endif
