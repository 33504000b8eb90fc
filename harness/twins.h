#ifndef MEMPLAN_HARNESS_TWINS_H
#define MEMPLAN_HARNESS_TWINS_H

#include "harness/job/job.h"

/* Jobs of a matrix that have the same plan: two orders of one graph came to the same permutation.
   One of them is planned, and its outcome is a row of each. */

#define TWINS_NONE UINT32_MAX

/* Zero-initialise it. */
struct twins {
    bool *follows;  /* [jobs] it has the plan of an earlier job */
    uint32_t *next; /* [jobs] the next job with this one's plan, TWINS_NONE */
};

/* Of jobs that differ in instance, policy, planner, seed and repetition only. Those that are left
   out have no twin. The caller frees it. O(jobs log jobs). */
enum status twins_find(const struct job *jobs, uint32_t count, const bool *left_out,
                       struct twins *twins, struct error *error);
void twins_free(struct twins *twins);

#endif
