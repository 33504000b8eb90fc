#ifndef MEMPLAN_HARNESS_JOB_CHILD_MESSAGE_H
#define MEMPLAN_HARNESS_JOB_CHILD_MESSAGE_H

#include "core/text.h"
#include "harness/job/job.h"

/* Messages in which the process of a job sends its outcome to the process that started it. Only
   this program reads them. */

/* Writes the outcome of planning or checking, or the error with which it ended, to the descriptor.
   False where writing fails. */
bool child_message_write(int descriptor, enum status status, const struct error *job_error,
                         const struct outcome *outcome);

struct child_message {
    bool whole; /* the message arrived whole; else nothing below is set, nor is the outcome */
    enum status status; /* of job_plan or job_check */
    struct error error; /* set where that failed; else there is an outcome */
};

/* The length of the message whose first bytes have been received; 0 where they are too few to
   tell. */
size_t child_message_length(const struct text *bytes);

/* Fills *message and the outcome, which gets copies of its own. The message counts as not whole
   where the bytes do not fit this job, as when the process ended too early or a faulty planner has
   damaged them. Fails only for lack of memory. */
enum status child_message_read(const struct text *bytes, const struct job *job,
                               struct child_message *message, struct outcome *outcome,
                               struct error *error);

#endif
