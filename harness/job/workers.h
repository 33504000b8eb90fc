#ifndef MEMPLAN_HARNESS_JOB_WORKERS_H
#define MEMPLAN_HARNESS_JOB_WORKERS_H

#include "harness/job/job.h"

/* Processes that run jobs side by side, each one job after the other as child.h does, and end what
   a job has left behind: a planner's processes die with its job, whatever their group, and with the
   worker, which dies with this process. Workers are copies of this process (fork), which must not
   have started threads. A job whose worker was killed is run again by another one, twice at most.
 */
struct workers;

/* What came of a job. */
struct workers_answer {
    uint32_t job;
    enum status status; /* as of job_run: the caller clears the outcome where it is STATUS_OK */
    struct error error;
};

/* jobs and all that they point to must stay and not change. Up to `most` workers (at least
   one) are started, each when there is something for it to do. */
enum status workers_create(const struct job *jobs, uint32_t most, struct workers **created,
                           struct error *error);

/* Whether a worker has nothing to do, or only quick jobs and soon nothing. */
bool workers_want(const struct workers *workers);

/* Runs one more job, jobs[job], when they want one. */
enum status workers_order(struct workers *workers, uint32_t job, struct error *error);

/* Waits until something is heard of them or the deadline is over. At least one job was ordered and
   its answer not taken. */
enum status workers_wait(struct workers *workers, uint64_t deadline_ns, struct error *error);

/* Takes an answer without waiting; *found says whether there was one. */
enum status workers_take(struct workers *workers, bool *found, struct workers_answer *answer,
                         struct outcome *outcome, struct error *error);

/* Kills them with all that they have started. NULL is allowed. */
void workers_free(struct workers *workers);

/* One job from start to finish: as job_run. */
enum status workers_run(const struct job *job, struct outcome *outcome, struct error *error);

#endif
