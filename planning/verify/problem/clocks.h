#ifndef MEMPLAN_PLANNING_VERIFY_PROBLEM_CLOCKS_H
#define MEMPLAN_PLANNING_VERIFY_PROBLEM_CLOCKS_H

#include "planning/plan/plan.h"
#include "planning/verify/verdict.h"

/* Finds, by their clocks alone, two buffers of a problem with clocks that conflict and share bytes;
   leaves the verdict unchanged where there are none. A sweep over the addresses keeps the buffers
   that have a byte at the present address, sorted by time: as long as no fault was found they come
   one after another, so a new one is compared with its neighbours only. O(n (log n * streams + most
   at one address)) for n extents. */
enum status verify_clocks(const struct problem *problem, const struct plan *plan,
                          struct verdict *verdict, struct error *error);

#endif
