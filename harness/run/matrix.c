#include "harness/run/matrix.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "harness/job/fault.h"
#include "harness/job/workers.h"
#include "harness/run/shard.h"
#include "harness/run/twins.h"

struct job_list {
    struct job *job;
    uint32_t count;
    size_t capacity;
};

/* Adds the jobs of all planners for the instance under the policy, in the order of operators that
   `ordered` says. */
static enum status add_jobs(const struct matrix *matrix, const struct instance *instance,
                            const struct policy *policy, const struct ordered_entry *ordered,
                            struct job_list *jobs, struct error *error)
{
    struct job job = {.instance = instance,
                      .ordered = ordered,
                      .policy = policy,
                      .inplace = matrix->inplace,
                      .pin_io = matrix->pin_io,
                      .capacity_bytes = matrix->capacity_bytes,
                      .time_limit_ns = matrix->time_limit_ns,
                      .threads = matrix->threads,
                      .memory_limit_bytes = matrix->memory_limit_bytes,
                      .alignment_bytes = matrix->alignment_bytes,
                      .options = matrix->options,
                      .least_sampled_ns = matrix->least_sampled_ns,
                      .workers = (uint32_t)matrix->workers};
    for (uint32_t p = 0; p < matrix->planners; p++) {
        job.planner = matrix->planner[p];
        uint32_t seeds = job.planner->flags & PLANNER_RANDOMISED ? matrix->seeds : 1;
        TRY(memory_reserve(&jobs->job, &jobs->capacity, (size_t)jobs->count + seeds,
                           sizeof *jobs->job, error));
        for (uint32_t i = 0; i < seeds; i++) {
            job.seed = matrix->seed[i];
            jobs->job[jobs->count++] = job;
        }
    }
    return STATUS_OK;
}

static enum status add_instance_jobs(const struct matrix *matrix, const struct instance *instance,
                                     struct job_list *jobs, struct error *error)
{
    const struct graph *graph = instance->graph;
    if (!graph)
        return add_jobs(matrix, instance, NULL, NULL, jobs, error);
    for (uint32_t i = 0; i < matrix->policies; i++)
        TRY(add_jobs(matrix, instance, matrix->policy[i], NULL, jobs, error));
    if (matrix->policies)
        return STATUS_OK;
    /* The policies that are used if the user names none. Where nothing is branched or run side by
       side, all of them give the same as flat. */
    if (!graph_has_control_flow(graph) && !graph_has_streams(graph))
        return add_jobs(matrix, instance, &policy_flat, NULL, jobs, error);
    for (uint32_t i = 0; i < policy_count(); i++)
        if (policy_suits(policy_at(i), graph))
            TRY(add_jobs(matrix, instance, policy_at(i), NULL, jobs, error));
    return STATUS_OK;
}

static enum status list_jobs(const struct matrix *matrix, struct job_list *jobs,
                             struct error *error)
{
    uint32_t repetition = 0;
    for (uint32_t i = 0; i < matrix->unreadables; i++)
        TRY(add_jobs(matrix, &matrix->unreadable[i]->instance, NULL, NULL, jobs, error));
    do {
        uint32_t first = jobs->count;
        for (uint32_t i = 0; i < matrix->instances; i++)
            TRY(add_instance_jobs(matrix, matrix->instance[i], jobs, error));
        for (uint32_t i = 0; matrix->ordered && i < matrix->ordered->count; i++) {
            const struct ordered_entry *entry = &matrix->ordered->entry[i];
            TRY(add_jobs(matrix, entry->error.status ? entry->stored : entry->ordered.instance,
                         entry->policy ? entry->policy : &policy_flat, entry, jobs, error));
        }
        for (uint32_t i = first; i < jobs->count; i++)
            jobs->job[i].repetition = repetition;
    } while (++repetition < matrix->repetitions);
    return shard_keep(matrix->shard, matrix->shards, jobs->job, &jobs->count, error);
}

static void clear_jobs(struct job_list *jobs)
{
    memory_free(jobs->job);
}

enum status matrix_count(const struct matrix *matrix, uint32_t *jobs, struct error *error)
{
    SCOPED(clear_jobs) struct job_list list = {0};
    TRY(list_jobs(matrix, &list, error));
    *jobs = list.count;
    return STATUS_OK;
}

/* Finds which jobs have rows in the store already, all in one transaction: a transaction for each
   job would take longer than most jobs. */
static enum status find_done(const struct matrix *matrix, const struct matrix_run *run,
                             const struct job_list *jobs, bool *there, struct error *error)
{
    SCOPED(names_free) struct names answered = {0};
    char setting[64];
    enum status status = STATUS_OK;
    if (!run->resume)
        return STATUS_OK;
    snprintf(setting, sizeof setting, "time_limit_ns=%" PRIu64, matrix->time_limit_ns);
    if (run->reuse)
        TRY(store_list_questions(run->store, run->same_limit ? setting : NULL, &answered, error));
    TRY(store_begin(run->store, error));
    for (uint32_t i = 0; i < jobs->count && !status; i++) {
        struct record_key key;
        int found = false;
        record_key_fill(run->record, &jobs->job[i], &key);
        status = store_has(run->store, &key.row, &found, error);
        there[i] = found;
        if (status || !run->reuse || jobs->job[i].planner->content)
            continue;
        SCOPED(text_free) struct text question = {0};
        store_append_question(&key.row, &question);
        status = text_check(&question, error);
        bool is_mine = run->mine && strcmp(jobs->job[i].planner->name, run->mine) == 0;
        there[i] = !status && !is_mine && names_find(&answered, question.bytes) != NAMES_NONE;
    }
    return store_end(run->store, status, error);
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

/* The next job that has the same plan as this one, or NULL. */
static const struct job *get_twin(const struct matrix_state *state, const struct job *job)
{
    uint32_t next = state->twins.next[job - state->jobs->job];
    return next == TWINS_NONE ? NULL : &state->jobs->job[next];
}

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

static enum status write_ended(const struct matrix_state *state, const struct ended_job *ended,
                               struct error *error)
{
    const struct matrix_run *run = state->run;
    for (const struct job *job = ended->job; job; job = get_twin(state, job))
        TRY(ended->error.status
                ? record_write_failure(run->store, run->record, job, ended->error.text, error)
                : record_write(run->store, run->record, job, &ended->outcome, error));
    return STATUS_OK;
}

/* Writes the rows that wait, if it is time for that or `now` says so. */
static enum status write_unwritten(struct matrix_state *state, bool now, struct error *error)
{
    struct store *store = state->run->store;
    enum status status = STATUS_OK;
    if (!state->unwritten_count ||
        !(now || state->unwritten_count == MOST_UNWRITTEN ||
          state->unwritten_places >= MOST_UNWRITTEN_PLACES || !clock_left_ns(state->write_ns)))
        return STATUS_OK;
    status = store_begin(store, error);
    if (!status) {
        for (uint32_t i = 0; i < state->unwritten_count && !status; i++)
            status = write_ended(state, &state->unwritten[i], error);
        status = store_end(store, status, error);
    }
    for (uint32_t i = 0; i < state->unwritten_count; i++)
        outcome_clear(&state->unwritten[i].outcome);
    state->unwritten_count = 0;
    state->unwritten_places = 0;
    state->write_ns = clock_deadline_ns(WRITE_EVERY_NS);
    return status;
}

/* Counts the last unwritten job, which the caller has just filled in, and writes all of them if it
   is time. */
static enum status add_unwritten(struct matrix_state *state, struct error *error)
{
    struct ended_job *ended = &state->unwritten[state->unwritten_count];
    struct outcome *outcome = ended->error.status ? NULL : &ended->outcome;
    const struct ordered_entry *ordered = ended->job->ordered;
    struct matrix_progress *progress = state->progress;
    enum status status = STATUS_OK;
    if (state->run->prove && outcome)
        status = state->run->prove(state->run->prove_context, ended->job, outcome, error);
    state->unwritten_count++;
    TRY(status);
    state->unwritten_places += outcome ? outcome->buffers : 0;
    /* An order that found nothing within its limits is not a failure. */
    progress->job_failed = outcome ? fault_found(ended->job, outcome)
                                   : !ordered || ordered->error.status != STATUS_LIMIT;
    for (const struct job *job = ended->job; job; job = get_twin(state, job)) {
        progress->failed += progress->job_failed;
        report_job(state, job, outcome, outcome ? "" : ended->error.text);
    }
    return write_unwritten(state, false, error);
}

/* Starts the next job, unless it needs no planning: its row is in the store, it is the twin of
   another job, there is nothing to plan, or its plan is in the cache. */
static enum status start_next(struct matrix_state *state, struct error *error)
{
    uint32_t number = state->next++, unreadable = 0;
    const struct job *job = &state->jobs->job[number];
    struct ended_job *ended = &state->unwritten[state->unwritten_count];
    enum cache_use use = CACHE_OFF;
    if (state->there[number]) {
        state->progress->skipped++;
        state->progress->job_failed = false;
        report_job(state, job, NULL, "");
        return STATUS_OK;
    }
    if (state->twins.follows[number])
        return STATUS_OK;
    *ended = (struct ended_job){.job = job};
    if (job->ordered && job->ordered->error.status) {
        ended->error = job->ordered->error;
    } else if (!job->instance->graph && !job->instance->problem) {
        while (&state->matrix->unreadable[unreadable]->instance != job->instance)
            unreadable++;
        ended->error = state->matrix->unreadable[unreadable]->error;
    } else if (state->run->cache) {
        plan_cache_find(state->run->cache, job, &ended->outcome, &use, &ended->error);
    }
    if (use == CACHE_HIT || use == CACHE_REPLACED || ended->error.status)
        return add_unwritten(state, error);
    TRY(workers_order(state->workers, number, error));
    state->running++;
    return STATUS_OK;
}

/* Waits until a worker has an answer or rows are to be written, and takes all answers. */
static enum status finish_some(struct matrix_state *state, struct error *error)
{
    assert(state->running > 0);
    TRY(workers_wait(state->workers, state->unwritten_count ? state->write_ns : UINT64_MAX, error));
    while (state->running) {
        struct ended_job *ended = &state->unwritten[state->unwritten_count];
        struct workers_answer answer;
        bool found;
        *ended = (struct ended_job){0};
        TRY(workers_take(state->workers, &found, &answer, &ended->outcome, error));
        if (!found)
            break;
        state->running--;
        ended->job = &state->jobs->job[answer.job];
        ended->error = answer.error;
        ended->error.status = answer.status;
        if (state->run->cache && !answer.status)
            plan_cache_store(state->run->cache, ended->job, &ended->outcome);
        TRY(add_unwritten(state, error));
    }
    return write_unwritten(state, false, error);
}

static void clear_state(struct matrix_state *state)
{
    workers_free(state->workers);
    memory_free(state->unwritten);
    twins_free(&state->twins);
    memory_free(state->there);
    state->progress->job = NULL;
    state->progress->outcome = NULL;
}

enum status matrix_run(const struct matrix *matrix, const struct matrix_run *run,
                       struct matrix_progress *progress, struct error *error)
{
    SCOPED(clear_jobs) struct job_list jobs = {0};
    SCOPED(clear_state)
    struct matrix_state state = {.matrix = matrix, .run = run, .jobs = &jobs, .progress = progress};
    struct error other;
    *progress = (struct matrix_progress){.error_text = ""};
    TRY(list_jobs(matrix, &jobs, error));
    progress->jobs = jobs.count;
    TRY(memory_create(&state.there, jobs.count, sizeof *state.there, error));
    TRY(find_done(matrix, run, &jobs, state.there, error));
    TRY(twins_find(jobs.job, jobs.count, state.there, &state.twins, error));
    TRY(memory_create(&state.unwritten, MOST_UNWRITTEN, sizeof *state.unwritten, error));
    TRY(workers_create(jobs.job, (uint32_t)matrix->workers, &state.workers, error));
    enum status status = STATUS_OK;
    while (!status && (state.next < state.jobs->count || state.running))
        status = state.next < state.jobs->count && workers_want(state.workers)
                     ? start_next(&state, error)
                     : finish_some(&state, error);
    /* If an error stops the run, the results found before it are written all the same. */
    enum status written = write_unwritten(&state, true, status ? &other : error);
    return status ? status : written;
}
