#ifndef MEMPLAN_PROOFS_CHECKER_PROBLEM_READ_H
#define MEMPLAN_PROOFS_CHECKER_PROBLEM_READ_H

#include "proofs/checker/problem.h"

/* What the readers of the two formats share. A buffer is begun, then gets its segments in order. */
bool check_problem_begin_buffer(struct problem *problem, const char *name, size_t length,
                                struct fault *fault);
/* Checks the numbers of the last buffer, which the reader has set. */
bool check_problem_check_buffer(const struct problem *problem, struct fault *fault);
/* Adds a segment to the last buffer; one that adjoins the last segment and uses the same bytes
   makes that longer. */
bool check_problem_add_segment(struct problem *problem, const struct segment *segment,
                               struct fault *fault);

bool check_problem_read_csv(const char *path, struct problem *problem, struct fault *fault);
bool check_problem_read_json(const char *path, struct problem *problem, struct fault *fault);

#endif
