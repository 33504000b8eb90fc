#ifndef MEMPLAN_PLANNING_PROBLEM_UNIT_H
#define MEMPLAN_PLANNING_PROBLEM_UNIT_H

#include "planning/problem/problem.h"

/* A number of bytes, at least 1, such that some best plan has only multiples of it as offsets:
   searches count in this unit. O(segments). */
uint64_t problem_unit_bytes(const struct problem *problem);

#endif
