#ifndef MEMPLAN_TESTS_SUPPORT_VERIFY_PAIRWISE_H
#define MEMPLAN_TESTS_SUPPORT_VERIFY_PAIRWISE_H

#include "planning/plan/plan.h"
#include "planning/verify/verdict.h"

/* The reference for verify_plan: the same faults, found by looking at every pair of segments.
   O(segments^2). */
void verify_plan_pairwise(const struct problem *problem, const struct plan *plan,
                          struct verdict *verdict);

#endif
