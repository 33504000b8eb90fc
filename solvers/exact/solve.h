#ifndef MEMPLAN_SOLVERS_EXACT_SOLVE_H
#define MEMPLAN_SOLVERS_EXACT_SOLVE_H

#include "solvers/exact/component.h"
#include "solvers/exact/incumbent.h"

/* The search of all components of a problem, round after round, for a better plan than the
   incumbent's and for higher bounds. */
struct exact_solve;

/* Cuts the incumbent's problem into components. Those that are too large are left alone. The
   incumbent and error, to which later calls write, stay the caller's and must outlive it. */
enum status exact_solve_create(struct exact_incumbent *incumbent,
                               const struct exact_component_options *options,
                               struct exact_solve **solve, struct error *error);

/* One round, of twice the effort of the one before. advanced: another one may find out more; false
   where what is asked for is known, nothing is left to search or the options' deadline is over. */
enum status exact_solve_advance(struct exact_solve *solve, bool *advanced);

/* Adds to the plan's search record what was counted. NULL is fine. */
void exact_solve_free(struct exact_solve *solve);

/* Creates, advances up to so many times, and frees. */
enum status exact_solve(struct exact_incumbent *incumbent,
                        const struct exact_component_options *options, uint32_t rounds,
                        struct error *error);

#endif
