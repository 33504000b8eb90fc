#ifndef MEMPLAN_PROOFS_CHECKER_PROBLEM_READ_H
#define MEMPLAN_PROOFS_CHECKER_PROBLEM_READ_H

#include "proofs/checker/problem.h"

/* Reads a problem of docs/formats.md, a .json file or else CSV, into a zeroed one, which is to be
   freed also after a fault. Where `is_plan`, it is a plan, in which each buffer has its offset. */
void check_problem_read(const char *path, bool is_plan, struct problem *problem);

#endif
