#ifndef MEMPLAN_HARNESS_JOB_RUN_H
#define MEMPLAN_HARNESS_JOB_RUN_H

#include "harness/job/job.h"

/* Plans, verifies and, for a graph, executes the plan. The status is STATUS_OK whenever
   outcome->status says how the job ended, even if a check refuses the plan. The caller frees the
   outcome with outcome_clear. */
enum status job_run(const struct job *job, struct outcome *outcome, struct error *error);
/* The two halves of job_run. job_plan fills status, plan or placement, and times; job_check fills
   the rest and leaves the outcome as it is when it fails. */
enum status job_plan(const struct job *job, struct outcome *outcome, struct error *error);
enum status job_check(const struct job *job, struct outcome *outcome, struct error *error);

#endif
