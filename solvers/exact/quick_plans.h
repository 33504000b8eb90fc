#ifndef MEMPLAN_SOLVERS_EXACT_QUICK_PLANS_H
#define MEMPLAN_SOLVERS_EXACT_QUICK_PLANS_H

#include "solvers/exact/incumbent.h"

/* How many quick plans there are: first fit and best fit in simple orders. */
enum { EXACT_QUICK_PLANS = 6 };

/* Tries those of the quick plans 0 .. end - 1 that were not tried before, until the incumbent is
   low enough or, if it has a plan, the task's time is up. Needs no lists of conflicts. O(segments
   log segments) for each, where few buffers are live at once. */
enum status exact_quick_plans_try(struct exact_incumbent *incumbent, uint32_t end,
                                  struct error *error);

/* To be called when a search begins: gives the incumbent's plan a search record and the bound that
   needs no search, and takes the task's start. Without a start it makes the first quick plan or,
   where there are many buffers, if it can an even quicker one (line_plan.h). */
enum status exact_quick_plans_begin(struct exact_incumbent *incumbent, struct error *error);

#endif
