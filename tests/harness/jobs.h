#ifndef MEMPLAN_TESTS_JOBS_H
#define MEMPLAN_TESTS_JOBS_H

#include "harness/job/job.h"

/* Jobs under test; anything that fails ends the test case. */

struct instance *jobs_load(const char *name);

/* An instance that owns one of both; the other is NULL. */
struct instance *jobs_own(struct graph *graph, struct problem *problem);

/* As job_make, by names; policy NULL for none. */
struct job jobs_name(const struct instance *instance, const char *policy, const char *planner);

/* The job's outcome, for outcome_clear. */
struct outcome jobs_run(const struct job *job);

/* That both are the same but for their times and records of the search. */
void jobs_compare(const struct outcome *a, const struct outcome *b);

#endif
