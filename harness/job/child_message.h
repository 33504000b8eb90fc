#ifndef MEMPLAN_HARNESS_JOB_CHILD_MESSAGE_H
#define MEMPLAN_HARNESS_JOB_CHILD_MESSAGE_H

#include "core/text.h"
#include "harness/job/job.h"

/* What a job's process sends to the one that started it: bytes that only this program reads. */

/* Writes how planning ended to the descriptor. False where that fails. */
bool child_message_write(int descriptor, enum status status, const struct error *job_error,
                         const struct outcome *outcome);

/* Fills the outcome with copies of its own, or *job_error, and *job_status. False where the bytes
   are no whole message of this job, as when the process ended before it was done; what a planner
   may have spoiled in it is not believed. Fails only for lack of memory. */
enum status child_message_read(const struct text *bytes, const struct job *job, bool *whole,
                               enum status *job_status, struct outcome *outcome,
                               struct error *job_error, struct error *error);

#endif
