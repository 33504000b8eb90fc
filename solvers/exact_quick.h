#ifndef MEMPLAN_SOLVERS_EXACT_QUICK_H
#define MEMPLAN_SOLVERS_EXACT_QUICK_H

#include "planning/planner.h"

/* The best of a few first-fit and best-fit plans in simple orders, for a search to begin from.
   Needs no conflicts. O(segments log segments) for each on plans of few layers. */
enum status exact_quick_plan(const struct problem *problem, struct plan *plan, struct error *error);

/* Pairs of segments that overlap in time: what lists of conflicts and of sections need room for.
   O(segments log segments). */
enum status exact_quick_count(const struct problem *problem, uint64_t *pairs, struct error *error);

#endif
