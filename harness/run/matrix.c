#include "harness/run/matrix.h"

#include <assert.h>

#include "core/clock.h"
#include "core/memory.h"
#include "harness/job/fault.h"
#include "harness/job/workers.h"
#include "harness/run/shard.h"
#include "harness/run/twins.h"
#include "planning/policies/policy.h"

struct job_list {
    struct job *job;
    uint32_t count;
    size_t capacity;
};

/* Makes a job with what all jobs of a matrix have in common. */
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

/* Adds the jobs of all planners for the instance and the policy in `job`. */
static enum status add_planner_jobs(const struct matrix *matrix, struct job job,
                                    struct job_list *jobs, struct error *error)
{
    for (uint32_t i = 0; i < matrix->planners; i++) {
        job.planner = matrix->planner[i];
        TRY(add_seed_jobs(matrix, &job, jobs, error));
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
    return add_planner_jobs(matrix, job, jobs, error);
}

static enum status add_ordered_jobs(const struct matrix *matrix, struct job_list *jobs,
                                    struct error *error)
{
    for (uint32_t i = 0; matrix->ordered && i < matrix->ordered->count; i++) {
        struct job job = make_job(matrix);
        job.ordered = &matrix->ordered->entry[i];
        job.instance =
            job.ordered->error.status ? job.ordered->stored : job.ordered->ordered.instance;
        job.policy = job.ordered->policy ? job.ordered->policy : &policy_flat;
        TRY(add_planner_jobs(matrix, job, jobs, error));
    }
    return STATUS_OK;
}

/* Adds the jobs for the policies that are used if the user names none. Where nothing is branched or
   run side by side, all policies give the same as flat. */
static enum status add_usual_policies(const struct matrix *matrix, const struct instance *instance,
                                      struct job_list *jobs, struct error *error)
{
    const struct graph *graph = instance->graph;
    if (!graph_has_control_flow(graph) && !graph_has_streams(graph))
        return add_policy_jobs(matrix, instance, &policy_flat, jobs, error);
    for (uint32_t i = 0; i < policy_count(); i++)
        if (policy_suits(policy_at(i), graph))
            TRY(add_policy_jobs(matrix, instance, policy_at(i), jobs, error));
    return STATUS_OK;
}

static enum status add_instance_jobs(const struct matrix *matrix, const struct instance *instance,
                                     struct job_list *jobs, struct error *error)
{
    if (!instance->graph)
        return add_policy_jobs(matrix, instance, NULL, jobs, error);
    for (uint32_t i = 0; i < matrix->policies; i++)
        TRY(add_policy_jobs(matrix, instance, matrix->policy[i], jobs, error));
    return matrix->policies ? STATUS_OK : add_usual_policies(matrix, instance, jobs, error);
}

static enum status list_jobs(const struct matrix *matrix, struct job_list *jobs,
                             struct error *error)
{
    uint32_t repetition = 0;
    for (uint32_t i = 0; i < matrix->unreadables; i++)
        TRY(add_policy_jobs(matrix, &matrix->unreadable[i]->instance, NULL, jobs, error));
    do {
        uint32_t first = jobs->count;
        for (uint32_t i = 0; i < matrix->instances; i++)
            TRY(add_instance_jobs(matrix, matrix->instance[i], jobs, error));
        TRY(add_ordered_jobs(matrix, jobs, error));
        for (uint32_t i = first; i < jobs->count; i++)
            jobs->job[i].repetition = repetition;
    } while (++repetition < matrix->repetitions);
    return shard_keep(matrix->shard, matrix->shards, jobs->job, &jobs->count, error);
}

enum status matrix_count(const struct matrix *matrix, uint32_t *jobs, struct error *error)
{
    struct job_list list = {0};
    enum status status = list_jobs(matrix, &list, error);
    *jobs = list.count;
    memory_free(list.job);
    return status;
}

static enum status find_rows(const struct matrix_run *run, const struct job_list *jobs, bool *there,
                             struct error *error)
{
    struct record_key key;
    int found;
    for (uint32_t i = 0; i < jobs->count; i++) {
        record_key_fill(run->record, &jobs->job[i], &key);
        TRY(store_has(run->store, &key.row, &found, error));
        there[i] = found;
    }
    return STATUS_OK;
}

/* Finds which jobs have rows in the store already, all in one transaction: a transaction for each
   job would take longer than most jobs. */
static enum status find_done(const struct matrix_run *run, const struct job_list *jobs, bool *there,
                             struct error *error)
{
    if (!run->resume)
        return STATUS_OK;
    TRY(store_begin(run->store, error));
    return store_end(run->store, find_rows(run, jobs, there, error), error);
}

/* A job that has ended and whose row is not written yet. */
struct ended_job {
    const struct job *job;
    struct error error; /* why there is no outcome, if there is none */
    struct outcome outcome;
};

/* Rows are written several at a time, since a job may take much less time than writing to a disk.
   These are the most rows and the most places of buffers that wait, and the longest time between
   two writes. */
enum { MOST_UNWRITTEN = 64, MOST_UNWRITTEN_PLACES = 1 << 20, WRITE_EVERY_NS = 100000000 };

struct matrix_state {
    const struct matrix *matrix;
    const struct matrix_run *run;
    const struct job_list *jobs;
    bool *there; /* [jobs->count] whether a job's row was in the store before the run */
    struct twins twins;
    struct matrix_progress *progress;
    struct workers *workers;
    uint32_t next, running;      /* the next job to start, and the number of jobs that run */
    struct ended_job *unwritten; /* [MOST_UNWRITTEN] the first unwritten_count are in use */
    uint32_t unwritten_count;
    uint64_t unwritten_places; /* number of places in the plans of these jobs */
    uint64_t write_ns;         /* the time by which they are to be written */
};

static void report_job(const struct matrix_state *state, const struct job *job,
                       const struct outcome *outcome, const char *error_text)
{
    struct matrix_progress *progress = state->progress;
    progress->done++;
    progress->job = job;
    progress->outcome = outcome;
    progress->error_text = error_text;
    if (state->run->report)
        state->run->report(state->run->report_context, progress);
}

/* The next job that has the same plan as this one, or NULL. */
static const struct job *get_twin(const struct matrix_state *state, const struct job *job)
{
    uint32_t next = state->twins.next[job - state->jobs->job];
    return next == TWINS_NONE ? NULL : &state->jobs->job[next];
}

static enum status write_jobs(const struct matrix_state *state, struct error *error)
{
    for (uint32_t i = 0; i < state->unwritten_count; i++)
        for (const struct job *job = state->unwritten[i].job; job; job = get_twin(state, job))
            TRY(state->unwritten[i].error.status
                    ? record_write_failure(state->run->store, state->run->record, job,
                                           state->unwritten[i].error.text, error)
                    : record_write(state->run->store, state->run->record, job,
                                   &state->unwritten[i].outcome, error));
    return STATUS_OK;
}

static enum status write_unwritten(struct matrix_state *state, struct error *error)
{
    struct store *store = state->run->store;
    enum status status = STATUS_OK;
    if (state->unwritten_count) {
        status = store_begin(store, error);
        if (!status)
            status = store_end(store, write_jobs(state, error), error);
    }
    for (uint32_t i = 0; i < state->unwritten_count; i++)
        outcome_clear(&state->unwritten[i].outcome);
    state->unwritten_count = 0;
    state->unwritten_places = 0;
    state->write_ns = clock_deadline_ns(WRITE_EVERY_NS);
    return status;
}

static bool writing_is_due(const struct matrix_state *state)
{
    return state->unwritten_count == MOST_UNWRITTEN ||
           state->unwritten_places >= MOST_UNWRITTEN_PLACES || !clock_left_ns(state->write_ns);
}

/* Whether a job counts as failed. An order that found nothing within its limits is not a
   failure. */
static bool is_failed(const struct ended_job *ended)
{
    const struct ordered_entry *ordered = ended->job->ordered;
    if (!ended->error.status)
        return fault_found(ended->job, &ended->outcome);
    return !ordered || ordered->error.status != STATUS_LIMIT;
}

/* Counts the last unwritten job, which the caller has just filled in, and writes all of them if it
   is time. */
static enum status add_unwritten(struct matrix_state *state, struct error *error)
{
    const struct ended_job *ended = &state->unwritten[state->unwritten_count++];
    const struct outcome *outcome = ended->error.status ? NULL : &ended->outcome;
    state->unwritten_places += outcome ? outcome->buffers : 0;
    state->progress->job_failed = is_failed(ended);
    for (const struct job *job = ended->job; job; job = get_twin(state, job)) {
        state->progress->failed += state->progress->job_failed;
        report_job(state, job, outcome, outcome ? "" : ended->error.text);
    }
    return writing_is_due(state) ? write_unwritten(state, error) : STATUS_OK;
}

/* Why there is nothing to plan for a job: its file is no instance, or its order failed. NULL where
   there is something to plan. */
static const struct error *find_reason(const struct matrix *matrix, const struct job *job)
{
    if (job->ordered && job->ordered->error.status)
        return &job->ordered->error;
    if (job->instance->graph || job->instance->problem)
        return NULL;
    uint32_t i = 0;
    while (&matrix->unreadable[i]->instance != job->instance)
        i++;
    return &matrix->unreadable[i]->error;
}

/* Takes the plan of a job from the cache and checks it; *found says whether there was one. */
static enum status take_cached(struct matrix_state *state, const struct job *job, bool *found,
                               struct error *error)
{
    struct ended_job *ended = &state->unwritten[state->unwritten_count];
    enum cache_use use = CACHE_OFF;
    *ended = (struct ended_job){.job = job};
    if (state->run->cache)
        plan_cache_find(state->run->cache, job, &ended->outcome, &use, &ended->error);
    *found = use == CACHE_HIT || use == CACHE_REPLACED || ended->error.status;
    return *found ? add_unwritten(state, error) : STATUS_OK;
}

static enum status start_next(struct matrix_state *state, struct error *error)
{
    const struct job *job = &state->jobs->job[state->next];
    if (state->there[state->next]) {
        state->next++;
        state->progress->skipped++;
        state->progress->job_failed = false;
        report_job(state, job, NULL, "");
        return STATUS_OK;
    }
    if (state->twins.follows[state->next]) {
        state->next++;
        return STATUS_OK;
    }
    const struct error *reason = find_reason(state->matrix, job);
    if (reason) {
        state->next++;
        state->unwritten[state->unwritten_count] = (struct ended_job){.job = job, .error = *reason};
        return add_unwritten(state, error);
    }
    bool is_cached;
    TRY(take_cached(state, job, &is_cached, error));
    state->next++;
    if (is_cached)
        return STATUS_OK;
    TRY(workers_order(state->workers, state->next - 1, error));
    state->running++;
    return STATUS_OK;
}

static enum status finish_one(struct matrix_state *state, bool *found, struct error *error)
{
    struct ended_job *ended = &state->unwritten[state->unwritten_count];
    struct workers_answer answer;
    *ended = (struct ended_job){0};
    TRY(workers_take(state->workers, found, &answer, &ended->outcome, error));
    if (!*found)
        return STATUS_OK;
    state->running--;
    ended->job = &state->jobs->job[answer.job];
    ended->error = answer.error;
    ended->error.status = answer.status;
    if (state->run->cache && !answer.status)
        plan_cache_store(state->run->cache, ended->job, &ended->outcome);
    return add_unwritten(state, error);
}

static enum status run_jobs(struct matrix_state *state, struct error *error)
{
    while (state->next < state->jobs->count || state->running) {
        if (state->next < state->jobs->count && workers_want(state->workers))
            TRY(start_next(state, error));
        else {
            bool found = true;
            assert(state->running > 0);
            TRY(workers_wait(state->workers, state->unwritten_count ? state->write_ns : UINT64_MAX,
                             error));
            while (found && state->running)
                TRY(finish_one(state, &found, error));
            TRY(state->unwritten_count && writing_is_due(state) ? write_unwritten(state, error)
                                                                : STATUS_OK);
        }
    }
    return STATUS_OK;
}

/* Runs all jobs. If an error stops the run, the results found before it are written all the
   same. */
static enum status run_and_write(struct matrix_state *state, struct error *error)
{
    struct error other;
    enum status status = run_jobs(state, error);
    enum status written = write_unwritten(state, status ? &other : error);
    return status ? status : written;
}

static enum status run_workers(struct matrix_state *state, uint32_t most, struct error *error)
{
    TRY(memory_create(&state->unwritten, MOST_UNWRITTEN, sizeof *state->unwritten, error));
    enum status status = workers_create(state->jobs->job, most, &state->workers, error);
    if (!status)
        status = run_and_write(state, error);
    workers_free(state->workers);
    memory_free(state->unwritten);
    return status;
}

enum status matrix_run(const struct matrix *matrix, const struct matrix_run *run,
                       struct matrix_progress *progress, struct error *error)
{
    struct job_list jobs = {0};
    struct matrix_state state = {.matrix = matrix, .run = run, .jobs = &jobs, .progress = progress};
    enum status status = list_jobs(matrix, &jobs, error);
    *progress = (struct matrix_progress){.jobs = jobs.count, .error_text = ""};
    if (!status)
        status = memory_create(&state.there, jobs.count, sizeof *state.there, error);
    if (!status)
        status = find_done(run, &jobs, state.there, error);
    if (!status)
        status = twins_find(jobs.job, jobs.count, state.there, &state.twins, error);
    if (!status)
        status = run_workers(&state, (uint32_t)matrix->workers, error);
    twins_free(&state.twins);
    memory_free(state.there);
    memory_free(jobs.job);
    progress->job = NULL;
    progress->outcome = NULL;
    return status;
}
