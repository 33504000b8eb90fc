#include "harness/matrix.h"

#include "core/memory.h"

struct job_list {
    struct job *job;
    uint32_t count;
    size_t capacity;
};

static enum status add_job(const struct matrix *matrix, const struct instance *instance,
                           const struct policy *policy, const struct planner *planner,
                           struct job_list *jobs, struct error *error)
{
    TRY(memory_reserve(&jobs->job, &jobs->capacity, (size_t)jobs->count + 1, sizeof *jobs->job,
                       error));
    jobs->job[jobs->count++] = (struct job){.instance = instance,
                                            .policy = policy,
                                            .planner = planner,
                                            .capacity_bytes = matrix->capacity_bytes,
                                            .time_limit_ns = matrix->time_limit_ns,
                                            .seed = matrix->seed,
                                            .alignment_bytes = 1,
                                            .options = matrix->options,
                                            .least_sampled_ns = matrix->least_sampled_ns};
    return STATUS_OK;
}

static enum status add_policy_jobs(const struct matrix *matrix, const struct instance *instance,
                                   const struct policy *policy, struct job_list *jobs,
                                   struct error *error)
{
    for (uint32_t i = 0; i < matrix->planners; i++)
        TRY(add_job(matrix, instance, policy, matrix->planner[i], jobs, error));
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
    for (uint32_t i = 0; i < matrix->instances; i++)
        TRY(add_instance_jobs(matrix, matrix->instance[i], jobs, error));
    return STATUS_OK;
}

static enum status find_row(const struct matrix_run *run, const struct job *job, int *found,
                            struct error *error)
{
    struct result_row key = record_key(run->record, job);
    *found = 0;
    return run->resume ? store_has(run->store, &key, found, error) : STATUS_OK;
}

/* Only one thread at a time is in here, so the store needs no lock of its own. */
static enum status finish_job(const struct matrix_run *run, const struct job *job,
                              const struct outcome *outcome, const char *error_text,
                              struct matrix_progress *progress, struct error *error)
{
    enum status status =
        outcome ? record_write(run->store, run->record, job, outcome, RECORD_MOST_RECTANGLES, error)
                : record_write_failure(run->store, run->record, job, error_text, error);
    progress->done++;
    progress->failed += !outcome || outcome_is_fault(job, outcome);
    progress->job = job;
    progress->outcome = outcome;
    progress->error_text = error_text;
    if (run->report)
        run->report(run->report_context, progress);
    return status;
}

static void skip_job(const struct matrix_run *run, const struct job *job,
                     struct matrix_progress *progress)
{
    progress->done++;
    progress->skipped++;
    progress->job = job;
    progress->outcome = NULL;
    progress->error_text = "";
    if (run->report)
        run->report(run->report_context, progress);
}

static enum status run_job(const struct matrix_run *run, const struct job *job,
                           struct matrix_progress *progress, struct error *error)
{
    struct error job_error = ERROR_NONE;
    struct outcome *outcome;
    enum status stored;
    int found;
#pragma omp critical(matrix)
    {
        stored = find_row(run, job, &found, error);
        if (!stored && found)
            skip_job(run, job, progress);
    }
    if (stored || found)
        return stored;
    TRY(memory_create(&outcome, 1, sizeof *outcome, error));
    enum status status = job_run(job, outcome, &job_error);
#pragma omp critical(matrix)
    stored = finish_job(run, job, status ? NULL : outcome, status ? job_error.text : "", progress,
                        error);
    if (!status)
        outcome_clear(outcome);
    memory_free(outcome);
    return stored;
}

enum status matrix_run(const struct matrix *matrix, const struct matrix_run *run,
                       struct matrix_progress *progress, struct error *error)
{
    struct job_list jobs = {0};
    enum status status = list_jobs(matrix, &jobs, error);
    *progress = (struct matrix_progress){.jobs = jobs.count, .error_text = ""};
    if (!status) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(matrix->workers)
        for (uint32_t i = 0; i < jobs.count; i++) {
            struct error own = ERROR_NONE;
            enum status seen, stored;
#pragma omp atomic read
            seen = status;
            if (seen)
                continue;
            stored = run_job(run, &jobs.job[i], progress, &own);
            if (stored) {
#pragma omp critical(matrix_error)
                {
                    status = stored;
                    *error = own;
                }
            }
        }
    }
    memory_free(jobs.job);
    progress->job = NULL;
    progress->outcome = NULL;
    return status;
}
