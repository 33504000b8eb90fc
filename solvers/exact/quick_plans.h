#ifndef MEMPLAN_SOLVERS_EXACT_QUICK_PLANS_H
#define MEMPLAN_SOLVERS_EXACT_QUICK_PLANS_H

#include "solvers/exact/incumbent.h"

/* How many quick plans there are: first fit and best fit in simple orders. */
enum { EXACT_QUICK_PLANS = 6 };

/* Tries those of the quick plans 0 .. end - 1 that were not tried before, until the incumbent is
   low enough. Needs no conflicts. O(segments log segments) for each on plans of few layers. */
enum status exact_quick_plans_try(struct exact_incumbent *incumbent, uint32_t end,
                                  struct error *error);

#endif
