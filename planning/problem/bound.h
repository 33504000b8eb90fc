#ifndef MEMPLAN_PLANNING_PROBLEM_BOUND_H
#define MEMPLAN_PLANNING_PROBLEM_BOUND_H

#include "planning/problem/problem.h"

/* The greatest of the load, the size of any buffer and the end of any fixed buffer: no plan has a
   lower peak. O(segments log segments). */
enum status bound_peak(const struct problem *problem, uint64_t *bytes, struct error *error);

#endif
