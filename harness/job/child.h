#ifndef MEMPLAN_HARNESS_JOB_CHILD_H
#define MEMPLAN_HARNESS_JOB_CHILD_H

#include "core/subprocess.h"
#include "harness/job/job.h"

/* A job that is planned in a process of its own and checked in this process or in another one, so
   that a crash, a hang or a planner without measure costs one result. The process is a copy of this
   one (fork), which must not have started threads. What planners print there goes to standard
   error.

   Over its limits a job ends with a status: PLAN_TIMEOUT where it does not stop by itself within
   5 s and a quarter of its time limit after that limit, PLAN_MEMOUT where it has more than
   job->memory_limit_bytes on top of what the program holds already, PLAN_CRASH where it ends
   without an answer. */

/* One that was started and not finished; its job must stay. It may be moved in memory. */
struct child {
    const struct job *job;
    struct subprocess process;
    bool checks; /* a plan that was found, instead of planning */
};

enum status child_start(const struct job *job, struct child *child, struct error *error);

/* Waits until one of the children (at least one) has ended or was killed at its limit; *ended is
   its index. */
enum status child_wait_for_one(struct child *child, uint32_t children, uint32_t *ended,
                               struct error *error);

/* Takes what the ended child found, as job_run: where the child planned, the plan is checked in
   this process first; where it was started to check, its verdict is taken. */
enum status child_finish(struct child *child, struct outcome *outcome, struct error *error);

/* The same in two steps, so that several plans are checked at a time: child_take is as job_plan,
   and child_start_check starts another child (which may be the same variable) that does job_check;
   the outcome can be cleared then. */
enum status child_take(struct child *child, struct outcome *outcome, struct error *error);
enum status child_start_check(const struct job *job, const struct outcome *outcome,
                              struct child *child, struct error *error);

/* Kills it and forgets what it found. */
void child_cancel(struct child *child);

/* One job from start to finish: as job_run. */
enum status child_run(const struct job *job, struct outcome *outcome, struct error *error);

#endif
