#ifndef MEMPLAN_PLANNING_VERIFY_FIXED_H
#define MEMPLAN_PLANNING_VERIFY_FIXED_H

#include "planning/problem/problem.h"
#include "planning/verify/verdict.h"

/* Checks the fixed buffers of a problem among themselves: VERIFY_VALID or VERIFY_OVERLAP, which
   means that the problem has no plan. The same costs on the fixed buffers alone. */
enum status verify_fixed(const struct problem *problem, struct verdict *verdict,
                         struct error *error);

#endif
