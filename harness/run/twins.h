#ifndef MEMPLAN_HARNESS_RUN_TWINS_H
#define MEMPLAN_HARNESS_RUN_TWINS_H

#include "harness/job/job.h"

/* Finds jobs of a matrix that have the same plan, because two orders of one graph gave the same
   permutation. Only one of them is planned, and its outcome is stored in a row for each. */

#define TWINS_NONE UINT32_MAX

/* Zero-initialise it. */
struct twins {
    bool *follows;  /* [jobs] whether a job has the plan of an earlier one */
    uint32_t *next; /* [jobs] the next job with the same plan, TWINS_NONE for none */
};

/* The jobs may differ only in instance, policy, planner, seed and repetition. Jobs that are left
   out have no twin. The caller frees the twins. O(jobs log jobs). */
enum status twins_find(const struct job *jobs, uint32_t count, const bool *left_out,
                       struct twins *twins, struct error *error);
void twins_free(struct twins *twins);

#endif
