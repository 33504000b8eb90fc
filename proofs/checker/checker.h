#ifndef MEMPLAN_PROOFS_CHECKER_CHECKER_H
#define MEMPLAN_PROOFS_CHECKER_CHECKER_H

#include "proofs/checker/input.h"

/* What an accepted log proves. */
struct check_answer {
    int64_t capacity; /* no plan has a peak of this or less */
    int64_t unit;     /* of the offsets of some plan of least peak */
    int64_t peak;     /* of the plan, which is valid, and none has a lower one; -1 without a plan */
    uint64_t lines, clauses;
};

/* Checks a log of the format memplan-proof/1 (docs/proofs.md) against a problem, and a plan where
   the path is not NULL. Returns false, with the reason in check_fault, where one of them is not
   accepted. */
bool check_files(const char *problem, const char *log, const char *plan,
                 struct check_answer *answer);

#endif
