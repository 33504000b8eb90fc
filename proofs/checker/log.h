#ifndef MEMPLAN_PROOFS_CHECKER_LOG_H
#define MEMPLAN_PROOFS_CHECKER_LOG_H

#include "proofs/checker/problem.h"

/* Checks a log of the format memplan-proof/1, text or binary, line by line, and fills all but the
   peak of the answer. O(the costs of its lines) time, O(buffers + choices + members of cliques +
   clauses that are not forgotten) memory, which check_log_free frees, also after a fault. */
void check_log(const char *path, const struct problem *problem, struct check_answer *answer);
void check_log_free(void);

#endif
