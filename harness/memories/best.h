#ifndef MEMPLAN_HARNESS_MEMORIES_BEST_H
#define MEMPLAN_HARNESS_MEMORIES_BEST_H

#include "planning/memories/memory_planner.h"

/* The planner to ask for: all quick heuristics, then the solver, with a search beside it where it
   takes long; at last peaks are lowered as far as the cost stays. */
extern const struct memory_planner memory_planner_best;

#endif
