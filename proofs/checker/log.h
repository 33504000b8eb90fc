#ifndef MEMPLAN_PROOFS_CHECKER_LOG_H
#define MEMPLAN_PROOFS_CHECKER_LOG_H

#include "proofs/checker/problem.h"

struct refutation {
    int64_t capacity; /* no plan has a peak of this or less */
    int64_t unit;     /* some plan of least peak has only multiples of it as offsets */
    uint64_t lines, clauses;
};

/* Checks a log of the format memplan-proof/1, text or binary, line by line. O(the costs of its
   lines) time, O(buffers + choices + members of cliques + clauses that are not forgotten) memory.
 */
bool check_log(const char *path, const struct problem *problem, struct refutation *refutation,
               struct fault *fault);

#endif
