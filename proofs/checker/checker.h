#ifndef MEMPLAN_PROOFS_CHECKER_CHECKER_H
#define MEMPLAN_PROOFS_CHECKER_CHECKER_H

#include "proofs/checker/fault.h"

/* Checks a log of the format memplan-proof/1 (docs/proofs.md) against a problem, and a plan where
   the path is not NULL. False, and why, where one is not accepted. */
bool check_files(const char *problem, const char *log, const char *plan,
                 struct check_answer *answer, struct fault *fault);

#endif
