#ifndef MEMPLAN_PROOFS_CHECKER_CHECKER_H
#define MEMPLAN_PROOFS_CHECKER_CHECKER_H

#include "proofs/checker/input.h"

/* Checks a log of the format memplan-proof/1 (docs/proofs.md) against a problem, and a plan where
   the path is not NULL. Returns false, with the reason in check_fault, where one of them is not
   accepted. */
bool check_files(const char *problem, const char *log, const char *plan,
                 struct check_answer *answer);

#endif
