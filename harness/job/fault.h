#ifndef MEMPLAN_HARNESS_JOB_FAULT_H
#define MEMPLAN_HARNESS_JOB_FAULT_H

#include "harness/job/job.h"

/* The planner or the policy is at fault: it crashed, or the plan is not good though neither is
   marked unsafe. */
bool fault_found(const struct job *job, const struct outcome *outcome);

/* What verify or execute found wrong with a plan, as one sentence: the witnesses, and the branches
   taken where execution found it. Of an outcome with a plan that is not good. */
enum status fault_describe(const struct job *job, const struct outcome *outcome, char *text,
                           size_t text_bytes, struct error *error);

#endif
