#ifndef MEMPLAN_PLANNING_PROBLEM_UNIT_H
#define MEMPLAN_PLANNING_PROBLEM_UNIT_H

#include "planning/problem/problem.h"

/* The bytes that all offsets of some best plan are multiples of, at least 1: searches count in this
   unit. O(segments). */
uint64_t problem_unit_bytes(const struct problem *problem);

#endif
