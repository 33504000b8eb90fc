#ifndef MEMPLAN_HARNESS_CACHE_CACHED_PLAN_H
#define MEMPLAN_HARNESS_CACHE_CACHED_PLAN_H

#include "core/text.h"
#include "harness/job/job.h"

/* Appends the plan that job_run found as JSON ("memplan-cached-plan/1", docs/formats.md): all that
   job_check needs, and the measures that are reported beside the plan. The text does not say which
   tensors are in place of others, since that follows from the job. O(plan). */
enum status cached_plan_write(const struct outcome *outcome, struct text *text,
                              struct error *error);

/* Fills the outcome as job_plan does, from a text that was written for an equal job; job_check then
   completes it. path is used only in messages. STATUS_BAD_INPUT where the text does not fit the
   job; the outcome is empty then. */
enum status cached_plan_read(const struct text *text, const char *path, const struct job *job,
                             struct outcome *outcome, struct error *error);

#endif
