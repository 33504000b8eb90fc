#include "harness/matrix.h"

#include <assert.h>

#include "core/memory.h"
#include "harness/job/child.h"
#include "harness/job/fault.h"
#include "planning/policies/policy.h"

struct job_list {
    struct job *job;
    uint32_t count;
    size_t capacity;
};

/* What all jobs of a matrix share. */
static struct job make_job(const struct matrix *matrix)
{
    return (struct job){.inplace = matrix->inplace,
                        .capacity_bytes = matrix->capacity_bytes,
                        .time_limit_ns = matrix->time_limit_ns,
                        .threads = matrix->threads,
                        .memory_limit_bytes = matrix->memory_limit_bytes,
                        .alignment_bytes = 1,
                        .options = matrix->options,
                        .least_sampled_ns = matrix->least_sampled_ns,
                        .workers = (uint32_t)matrix->workers};
}

static enum status add_seed_jobs(const struct matrix *matrix, struct job *job,
                                 struct job_list *jobs, struct error *error)
{
    uint32_t seeds = job->planner->flags & PLANNER_RANDOMISED ? matrix->seeds : 1;
    TRY(memory_reserve(&jobs->job, &jobs->capacity, (size_t)jobs->count + seeds, sizeof *jobs->job,
                       error));
    for (uint32_t i = 0; i < seeds; i++) {
        job->seed = matrix->seed[i];
        jobs->job[jobs->count++] = *job;
    }
    return STATUS_OK;
}

static enum status add_policy_jobs(const struct matrix *matrix, const struct instance *instance,
                                   const struct policy *policy, struct job_list *jobs,
                                   struct error *error)
{
    struct job job = make_job(matrix);
    job.instance = instance;
    job.policy = policy;
    for (uint32_t i = 0; i < matrix->planners; i++) {
        job.planner = matrix->planner[i];
        TRY(add_seed_jobs(matrix, &job, jobs, error));
    }
    return STATUS_OK;
}

static enum status add_instance_jobs(const struct matrix *matrix, const struct instance *instance,
                                     struct job_list *jobs, struct error *error)
{
    if (!instance->graph)
        return add_policy_jobs(matrix, instance, NULL, jobs, error);
    if (!matrix->policies && !graph_has_control_flow(instance->graph))
        return add_policy_jobs(matrix, instance, &policy_flat, jobs, error);
    uint32_t policies = matrix->policies ? matrix->policies : policy_count();
    for (uint32_t i = 0; i < policies; i++)
        TRY(add_policy_jobs(matrix, instance, matrix->policies ? matrix->policy[i] : policy_at(i),
                            jobs, error));
    return STATUS_OK;
}

static enum status list_jobs(const struct matrix *matrix, struct job_list *jobs,
                             struct error *error)
{
    uint32_t repetition = 0;
    do {
        uint32_t first = jobs->count;
        for (uint32_t i = 0; i < matrix->instances; i++)
            TRY(add_instance_jobs(matrix, matrix->instance[i], jobs, error));
        for (uint32_t i = first; i < jobs->count; i++)
            jobs->job[i].repetition = repetition;
    } while (++repetition < matrix->repetitions);
    return STATUS_OK;
}

static enum status find_row(const struct matrix_run *run, const struct job *job, int *found,
                            struct error *error)
{
    struct record_key key;
    *found = 0;
    record_key_fill(run->record, job, &key);
    return run->resume ? store_has(run->store, &key.row, found, error) : STATUS_OK;
}

/* The processes that run, and the jobs that are left. */
struct workers {
    const struct matrix_run *run;
    const struct job_list *jobs;
    struct matrix_progress *progress;
    struct child *child; /* [most], of which the first `busy` run */
    uint32_t next;       /* job to start */
    uint32_t busy, most;
};

static void report_job(const struct workers *workers, const struct job *job,
                       const struct outcome *outcome, const char *error_text)
{
    struct matrix_progress *progress = workers->progress;
    progress->done++;
    progress->job = job;
    progress->outcome = outcome;
    progress->error_text = error_text;
    if (workers->run->report)
        workers->run->report(workers->run->report_context, progress);
}

/* Of a job that failed: outcome is NULL and the text says why. */
static enum status finish_job(const struct workers *workers, const struct job *job,
                              const struct outcome *outcome, const char *error_text,
                              struct error *error)
{
    const struct matrix_run *run = workers->run;
    enum status status =
        outcome ? record_write(run->store, run->record, job, outcome, error)
                : record_write_failure(run->store, run->record, job, error_text, error);
    workers->progress->failed += !outcome || fault_found(job, outcome);
    report_job(workers, job, outcome, error_text);
    return status;
}

static enum status start_next(struct workers *workers, struct error *error)
{
    const struct job *job = &workers->jobs->job[workers->next++];
    struct error job_error = ERROR_NONE;
    int found;
    TRY(find_row(workers->run, job, &found, error));
    if (found) {
        workers->progress->skipped++;
        report_job(workers, job, NULL, "");
        return STATUS_OK;
    }
    if (child_start(job, &workers->child[workers->busy], &job_error))
        return finish_job(workers, job, NULL, job_error.text, error);
    workers->busy++;
    return STATUS_OK;
}

static enum status finish_child(struct workers *workers, struct child *child,
                                struct outcome *outcome, struct error *error)
{
    struct error job_error = ERROR_NONE;
    const struct job *job = child->job;
    if (child_finish(child, outcome, &job_error))
        return finish_job(workers, job, NULL, job_error.text, error);
    enum status status = finish_job(workers, job, outcome, "", error);
    outcome_clear(outcome);
    return status;
}

static struct child remove_child(struct workers *workers, uint32_t index)
{
    assert(index < workers->busy);
    struct child child = workers->child[index];
    workers->busy--;
    for (uint32_t i = index; i < workers->busy; i++)
        workers->child[i] = workers->child[i + 1];
    return child;
}

/* What a child has planned is checked by another one in its place. */
static enum status pass_on(struct workers *workers, uint32_t index, struct outcome *outcome,
                           struct error *error)
{
    struct error job_error = ERROR_NONE;
    struct child *child = &workers->child[index];
    const struct job *job = child->job;
    enum status status = child_take(child, outcome, &job_error);
    if (!status) {
        status = child_start_check(job, outcome, child, &job_error);
        outcome_clear(outcome);
    }
    if (!status)
        return STATUS_OK;
    remove_child(workers, index);
    return finish_job(workers, job, NULL, job_error.text, error);
}

/* One worker alone checks here, which saves a process. */
static enum status finish_one(struct workers *workers, struct outcome *outcome, struct error *error)
{
    uint32_t ended;
    assert(workers->busy > 0);
    TRY(child_wait_for_one(workers->child, workers->busy, &ended, error));
    if (workers->most > 1 && !workers->child[ended].checks)
        return pass_on(workers, ended, outcome, error);
    struct child child = remove_child(workers, ended);
    return finish_child(workers, &child, outcome, error);
}

static enum status run_jobs(struct workers *workers, struct outcome *outcome, struct error *error)
{
    while (workers->next < workers->jobs->count || workers->busy) {
        if (workers->next < workers->jobs->count && workers->busy < workers->most)
            TRY(start_next(workers, error));
        else
            TRY(finish_one(workers, outcome, error));
    }
    return STATUS_OK;
}

static enum status run_workers(struct workers *workers, struct error *error)
{
    struct outcome *outcome;
    TRY(memory_create(&workers->child, workers->most, sizeof *workers->child, error));
    enum status status = memory_create(&outcome, 1, sizeof *outcome, error);
    if (!status) {
        status = run_jobs(workers, outcome, error);
        memory_free(outcome);
    }
    while (workers->busy)
        child_cancel(&workers->child[--workers->busy]);
    memory_free(workers->child);
    return status;
}

enum status matrix_run(const struct matrix *matrix, const struct matrix_run *run,
                       struct matrix_progress *progress, struct error *error)
{
    struct job_list jobs = {0};
    struct workers workers = {
        .run = run, .jobs = &jobs, .progress = progress, .most = (uint32_t)matrix->workers};
    enum status status = list_jobs(matrix, &jobs, error);
    *progress = (struct matrix_progress){.jobs = jobs.count, .error_text = ""};
    if (!status)
        status = run_workers(&workers, error);
    memory_free(jobs.job);
    progress->job = NULL;
    progress->outcome = NULL;
    return status;
}
