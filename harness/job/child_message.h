#ifndef MEMPLAN_HARNESS_JOB_CHILD_MESSAGE_H
#define MEMPLAN_HARNESS_JOB_CHILD_MESSAGE_H

#include "core/text.h"
#include "harness/job/job.h"

/* What a job's processes send to those that started them: bytes that only this program reads. */

/* Writes how planning or checking ended to the descriptor. False where that fails. */
bool child_message_write(int descriptor, enum status status, const struct error *job_error,
                         const struct outcome *outcome);

struct child_message {
    bool whole;         /* else nothing below, nor the outcome, is set */
    enum status status; /* of job_plan or job_check */
    struct error error; /* where that failed; else there is an outcome */
};

/* How long the message is that the bytes received so far begin with; 0 where they are too few to
   tell. */
size_t child_message_length(const struct text *bytes);

/* Fills *message and, with copies of its own, the outcome. It is not whole where the bytes are none
   of this job, as when the process ended before it was done; what a planner may have spoiled in
   them is not believed. Fails only for lack of memory. */
enum status child_message_read(const struct text *bytes, const struct job *job,
                               struct child_message *message, struct outcome *outcome,
                               struct error *error);

#endif
