#ifndef MEMPLAN_PROOFS_CHECKER_LOG_H
#define MEMPLAN_PROOFS_CHECKER_LOG_H

#include "proofs/checker/problem.h"

/* Checks a log of the format memplan-proof/1, text or binary, line by line, and fills the answer
   but for the peak. O(the costs of its lines) time, O(buffers + choices + members of cliques +
   clauses that are not forgotten) memory. */
bool check_log(const char *path, const struct problem *problem, struct check_answer *answer,
               struct fault *fault);

#endif
