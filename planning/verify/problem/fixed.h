#ifndef MEMPLAN_PLANNING_VERIFY_PROBLEM_FIXED_H
#define MEMPLAN_PLANNING_VERIFY_PROBLEM_FIXED_H

#include "planning/problem/problem.h"
#include "planning/verify/verdict.h"

/* Checks the fixed buffers of a problem against each other: VERIFY_VALID, or VERIFY_OVERLAP, which
   means that the problem has no plan. Costs as much as verify_plan of the fixed buffers. */
enum status verify_fixed(const struct problem *problem, struct verdict *verdict,
                         struct error *error);

#endif
