#ifndef MEMPLAN_HARNESS_JOB_BEGIN_H
#define MEMPLAN_HARNESS_JOB_BEGIN_H

#include "harness/job/job.h"

/* Gives the outcome of a job an empty plan, or an empty placement in which the in-place rules have
   been applied. What it has after a failure is freed by outcome_clear. */
enum status job_begin(const struct job *job, struct outcome *outcome, struct error *error);

#endif
