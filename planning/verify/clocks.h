#ifndef MEMPLAN_PLANNING_VERIFY_CLOCKS_H
#define MEMPLAN_PLANNING_VERIFY_CLOCKS_H

#include "planning/plan/plan.h"
#include "planning/verify/verdict.h"

/* Finds two buffers of a problem with clocks that conflict and share bytes, by their clocks alone;
   leaves the verdict as it is where there are none. A sweep over the addresses keeps the buffers
   that are there in the order in which they begin and end: all that were there before have one, so
   a new one is compared with its neighbours only. O(n (log n * streams + most at one address)) for
   n extents. */
enum status verify_clocks(const struct problem *problem, const struct plan *plan,
                          struct verdict *verdict, struct error *error);

#endif
