#ifndef MEMPLAN_SOLVERS_WINDOW_SMALL_LAST_H
#define MEMPLAN_SOLVERS_WINDOW_SMALL_LAST_H

#include "solvers/exact/solve.h"

/* A search for hard problems of some hundred buffers: the smallest buffers wait. All others
   together are an easier problem, which the exact search solves at the lower bound; the waiting
   buffers are then put into the gaps of that plan and on top of it, so that the peak is above the
   bound by no more than their bytes. At first the buffers that wait take up to FIRST_SHARE
   thousandths of the bound; after each plan fewer wait. A plan of hundreds of buffers without any
   slack is thus approached by plans with a little slack where it matters least. */
struct small_last;

/* The incumbent, which has a plan, and error, to which later calls write, stay the caller's and
   must outlive it. O(buffers * segments). */
enum status small_last_create(struct exact_incumbent *incumbent, uint32_t threads,
                              struct small_last **created, struct error *error);
void small_last_free(struct small_last *small_last); /* NULL is fine */
SCOPED_POINTER(struct small_last, small_last_release, small_last_free);

/* Continues the search for a plan of the buffers that do not wait, which may pause, as
   exact_solve_advance. *advanced: another call may find a better plan. */
enum status small_last_advance(struct small_last *small_last, const struct exact_slice *slice,
                               bool *advanced);

#endif
