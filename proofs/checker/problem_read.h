#ifndef MEMPLAN_PROOFS_CHECKER_PROBLEM_READ_H
#define MEMPLAN_PROOFS_CHECKER_PROBLEM_READ_H

#include "proofs/checker/problem.h"

/* Reads a problem of docs/formats.md, a .json file or else CSV, into a zeroed one, which is to be
   freed also after a fault. Where `is_plan`, it is a plan, in which each buffer has its offset. */
bool check_problem_read(const char *path, bool is_plan, struct problem *problem,
                        struct fault *fault);

/* What the readers of the two formats share: a buffer is added, then its segments in order. One
   that adjoins the last and uses the same bytes makes that longer. */
bool check_problem_add_buffer(struct problem *problem, const char *name, size_t length,
                              const struct buffer *buffer, struct fault *fault);
bool check_problem_add_segment(struct problem *problem, const struct segment *segment,
                               struct fault *fault);
/* Makes names findable; no two are equal. */
bool check_problem_sort(struct problem *problem, struct fault *fault);

bool check_problem_read_csv(const char *path, struct problem *problem, struct fault *fault);
bool check_problem_read_json(const char *path, bool is_plan, struct problem *problem,
                             struct fault *fault);

#endif
