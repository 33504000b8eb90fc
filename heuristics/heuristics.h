#ifndef MEMPLAN_HEURISTICS_HEURISTICS_H
#define MEMPLAN_HEURISTICS_HEURISTICS_H

#include "planning/plan/planner.h"

/* The table of heuristic planners. */
uint32_t heuristics_count(void);
const struct planner *heuristics_at(uint32_t index);     /* index < heuristics_count() */
const struct planner *heuristics_find(const char *name); /* NULL if there is none */

#endif
