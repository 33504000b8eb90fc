#ifndef MEMPLAN_HARNESS_JOB_FAULT_H
#define MEMPLAN_HARNESS_JOB_FAULT_H

#include "harness/job/job.h"

/* Whether the planner or the policy is at fault: the planner crashed, a checker refuses the proof
   of what it claims, or the plan is wrong although neither the planner nor the policy is marked
   unsafe. */
bool fault_found(const struct job *job, const struct outcome *outcome);

/* Describes in one sentence what verify or execute found wrong with a plan: the witnesses, and the
   branches taken where execution found it. The outcome must have a plan that is not good. */
enum status fault_describe(const struct job *job, const struct outcome *outcome, char *text,
                           size_t text_bytes, struct error *error);

#endif
