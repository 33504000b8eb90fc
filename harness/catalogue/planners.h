#ifndef MEMPLAN_HARNESS_CATALOGUE_PLANNERS_H
#define MEMPLAN_HARNESS_CATALOGUE_PLANNERS_H

#include "planning/plan/planner.h"

/* All planners: heuristics first, then solvers. */
uint32_t planners_count(void);
const struct planner *planners_at(uint32_t index);
const struct planner *planners_find(const char *name); /* NULL if there is none */

#endif
