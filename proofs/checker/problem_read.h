#ifndef MEMPLAN_PROOFS_CHECKER_PROBLEM_READ_H
#define MEMPLAN_PROOFS_CHECKER_PROBLEM_READ_H

#include "proofs/checker/problem.h"

/* Reads a problem in one of the formats of docs/formats.md, JSON where the name ends in .json and
   else CSV, into a zeroed struct, which the caller frees also after a fault. Where is_plan is set
   the file is a plan: it gives each buffer an offset. */
void check_problem_read(const char *path, bool is_plan, struct problem *problem);

#endif
