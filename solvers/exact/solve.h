#ifndef MEMPLAN_SOLVERS_EXACT_SOLVE_H
#define MEMPLAN_SOLVERS_EXACT_SOLVE_H

#include "solvers/exact/component.h"
#include "solvers/exact/incumbent.h"

/* Searches the components of the incumbent's problem, round after round, until what is asked for is
   known or the options' deadline is over. Raises the bound, improves the plan, and adds what was
   counted to plan->search. Components that are too large, or all where there are too many, are left
   alone. */
enum status exact_solve(struct exact_incumbent *incumbent,
                        const struct exact_component_options *options, struct error *error);

#endif
