#ifndef MEMPLAN_HARNESS_JOB_CHILD_H
#define MEMPLAN_HARNESS_JOB_CHILD_H

#include "harness/job/job.h"

/* child_run is as job_run, but the job is planned in a process of its own and checked in this one,
   so that a planner that crashes, hangs or takes all memory costs one result. The process is a copy
   of this one (fork), which must not have started threads. What planners print there goes to
   standard error.

   Over its limits a job ends with a status: PLAN_TIMEOUT where it does not stop by itself within
   5 s and a quarter of its time limit after that limit, PLAN_MEMOUT where it has more than
   job->memory_limit_bytes on top of what the program holds already or the system runs out of
   memory, PLAN_CRASH where it ends without an answer. Where somebody else kills the process it is
   started again, twice at most. */
struct child_task {
    const struct job *job;
    /* Value of ending_memory_kills (core/process/ending.h) before the process was started. */
    uint64_t memory_kills;
};

enum status child_run(const struct child_task *task, struct outcome *outcome, struct error *error);

#endif
