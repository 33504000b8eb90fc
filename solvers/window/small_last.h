#ifndef MEMPLAN_SOLVERS_WINDOW_SMALL_LAST_H
#define MEMPLAN_SOLVERS_WINDOW_SMALL_LAST_H

#include "solvers/exact/solve.h"

/* A search for hard problems of some hundred buffers: the smallest buffers wait. All others
   together are an easier problem, which the exact search solves at the lower bound; those that wait
   are then put into the holes that it left and on top, so that the peak is above the bound by no
   more than they take. At first those wait that take up to FIRST_SHARE thousandths of the bound;
   each time a plan is found fewer do. A plan of hundreds of buffers without any slack is so
   approached from plans with a little slack where it matters least. */
struct small_last;

/* The incumbent, which has a plan, and error, to which later calls write, stay the caller's and
   must outlive it. O(buffers * segments). */
enum status small_last_create(struct exact_incumbent *incumbent, uint32_t threads,
                              struct small_last **created, struct error *error);
void small_last_free(struct small_last *small_last); /* NULL is fine */
SCOPED_POINTER(struct small_last, small_last_release, small_last_free);

/* Goes on with the search for a plan of the buffers that do not wait; that may pause and be gone on
   with later, as exact_solve_advance. advanced: another call may find a better plan. */
enum status small_last_advance(struct small_last *small_last, const struct exact_slice *slice,
                               bool *advanced);

#endif
