#ifndef MEMPLAN_PROOFS_CHECKER_LOG_H
#define MEMPLAN_PROOFS_CHECKER_LOG_H

#include "proofs/checker/problem.h"
#include "proofs/checker/rules.h"

/* A log that is being checked, and what its lines said. The caller zeroes it before, and frees it
   also after a fault. */
struct log {
    struct input input;
    const char *at; /* in a text log: the part of the line that was not read yet */
    bool is_binary;
    bool *used; /* [buffers] */
    struct numbers numbers;
    int64_t capacity, unit;
    uint64_t lines, clauses; /* how many lines were checked, and clauses proved */
};

/* Checks a log of the format memplan-proof/1, text or binary, line by line. O(the costs of its
   lines) time, O(buffers + choices + members of cliques + clauses that are not forgotten) memory.
 */
void check_log(const char *path, const struct problem *problem, struct log *log);
void check_log_free(struct log *log);

#endif
