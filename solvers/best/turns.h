#ifndef MEMPLAN_SOLVERS_BEST_TURNS_H
#define MEMPLAN_SOLVERS_BEST_TURNS_H

#include "solvers/best/state.h"

/* Whether what the task asks for is known, or its time is up. */
bool best_is_over(const struct best *best);

/* Lets the searches take turns until the run is over or none of them has anything left to do. The
   incumbent has a plan, which took best->first_plan_ns. */
enum status best_take_turns(struct best *best);

#endif
