#ifndef MEMPLAN_PROOFS_CHECKER_PLAN_H
#define MEMPLAN_PROOFS_CHECKER_PLAN_H

#include "proofs/checker/problem.h"

/* Reads a plan of the problem, a .json file or CSV with offsets, and checks that it is one. O((n +
   pairs) log n) for n buffers and pairs that are live at one step. */
bool check_plan(const char *path, const struct problem *problem, int64_t *peak,
                struct fault *fault);

#endif
