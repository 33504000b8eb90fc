#ifndef MEMPLAN_SOLVERS_SOLVERS_H
#define MEMPLAN_SOLVERS_SOLVERS_H

#include "planning/plan/planner.h"

/* The table of exact planners. */
uint32_t solvers_count(void);
const struct planner *solvers_at(uint32_t index);

#endif
