#ifndef MEMPLAN_SOLVERS_EXACT_QUICK_PLANS_H
#define MEMPLAN_SOLVERS_EXACT_QUICK_PLANS_H

#include "planning/plan/planner.h"

/* How many quick plans there are: first fit and best fit in simple orders. */
enum { EXACT_QUICK_PLANS = 6 };

/* The best of those from begin to end - 1, for a search to begin from, or the first whose peak is
   enough. Needs no conflicts. O(segments log segments) for each on plans of few layers. */
enum status exact_quick_plan(const struct problem *problem, uint32_t begin, uint32_t end,
                             uint64_t enough_bytes, struct plan *plan, struct error *error);

/* Pairs of segments that overlap in time: what lists of conflicts and of sections need room for.
   O(segments log segments). */
enum status exact_quick_count(const struct problem *problem, uint64_t *pairs, struct error *error);

#endif
