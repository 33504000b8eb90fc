#ifndef MEMPLAN_HARNESS_JOB_WORKERS_H
#define MEMPLAN_HARNESS_JOB_WORKERS_H

#include "harness/job/job.h"

/* Processes that run jobs side by side, each of them one job after the other. Whatever a job leaves
   behind is ended: the processes of a planner die with its job, whatever their process group, and
   with the worker, which dies with this process. Workers are copies of this process (fork), which
   must not have started threads. A job whose worker was killed is run again by another one, at most
   twice. */
struct workers;

/* The answer to a job. */
struct workers_answer {
    uint32_t job;
    /* The status of job_run; where it is STATUS_OK the caller clears the outcome. */
    enum status status;
    struct error error;
};

/* The jobs and everything to which they point must stay unchanged. Up to `most` workers (at least
   one) are started, each when there is a job for it. */
enum status workers_create(const struct job *jobs, uint32_t most, struct workers **created,
                           struct error *error);

/* Whether another job may be ordered: some worker has nothing to do, or only quick jobs. */
bool workers_want(const struct workers *workers);

/* Orders jobs[job] to be run. Only when workers_want is true. */
enum status workers_order(struct workers *workers, uint32_t job, struct error *error);

/* Waits until a worker has sent something or the deadline has passed. At least one job must have
   been ordered whose answer was not taken. */
enum status workers_wait(struct workers *workers, uint64_t deadline_ns, struct error *error);

/* Takes an answer without waiting; *found says whether there was one. */
enum status workers_take(struct workers *workers, bool *found, struct workers_answer *answer,
                         struct outcome *outcome, struct error *error);

/* Kills the workers with all processes that they have started. NULL is allowed. */
void workers_free(struct workers *workers);
SCOPED_POINTER(struct workers, workers_release, workers_free);

/* Runs one job from start to finish in a worker; the result is as that of job_run. */
enum status workers_run(const struct job *job, struct outcome *outcome, struct error *error);

#endif
