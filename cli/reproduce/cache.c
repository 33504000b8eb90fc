/* The reproduction cache: planning twelve networks without the plan cache, with an empty one, and
   with one that has the plan, as measures of the topic "cache". */
#include <string.h>
#include <unistd.h>

#include "cli/output/cache.h"
#include "cli/reproduce/reproduction.h"
#include "core/clock.h"
#include "harness/catalogue/planners.h"

enum { ROUNDS = 9 };

static const uint64_t most_cache_bytes = UINT64_C(1) << 30;

/* A fast planner, and one that takes a noticeable time for a plan. */
static const char *const planner_names[] = {"large_first", "glpk"};

/* The ways to get a plan that are timed, in the order of a round. */
enum way { WAY_PLAN, WAY_SAVE, WAY_HIT, WAYS };

/* Times one planner's plans of one instance. */
struct trial {
    struct plan_cache *cache;
    struct job job;
    /* The times of the shortest round, since other work on the machine can only make a round
       longer; planner_ns is the time inside the planner alone. */
    uint64_t least_ns[WAYS], planner_ns;
    uint64_t archive_bytes;
    bool found, identical;
    struct error *error;
};

static void keep_least(uint64_t *least_ns, uint64_t ns)
{
    *least_ns = ns < *least_ns ? ns : *least_ns;
}

static enum status time_way(struct trial *trial, enum way way, struct outcome *outcome)
{
    static const enum cache_use expected[WAYS] = {CACHE_OFF, CACHE_PLANNED, CACHE_HIT};
    enum cache_use use;
    uint64_t began_ns = clock_monotonic_ns();
    TRY(plan_cache_run(way == WAY_PLAN ? NULL : trial->cache, &trial->job, outcome, &use,
                       trial->error));
    keep_least(&trial->least_ns[way], clock_monotonic_ns() - began_ns);
    trial->found = outcome_found(outcome);
    if (use == expected[way] || !trial->found)
        return STATUS_OK;
    outcome_clear(outcome);
    return error_set(trial->error, STATUS_INTERNAL, "the plan cache answered '%s', expected '%s'",
                     cache_use_name(use), cache_use_name(expected[way]));
}

static bool are_identical(const struct outcome *a, const struct outcome *b)
{
    const struct placement *p = a->placement, *q = b->placement;
    return a->status == b->status && a->measures.peak_bytes == b->measures.peak_bytes &&
           memcmp(p->offset, q->offset, p->tensors * sizeof *p->offset) == 0;
}

static enum status take_bytes(const struct cache_entry *entry, void *context, struct error *error)
{
    (void)error;
    *(uint64_t *)context = entry->bytes;
    return STATUS_OK;
}

static enum status run_round(struct trial *trial)
{
    SCOPED(outcome_clear) struct outcome planned = {0};
    uint32_t removed;
    TRY(cache_file_clear(trial->cache->file, &removed, trial->error));
    TRY(time_way(trial, WAY_PLAN, &planned));
    keep_least(&trial->planner_ns, outcome_median_ns(&planned));
    /* Plans with an empty cache and then with one that has the plan; both results are compared with
       a plan that was made without a cache. */
    for (enum way way = WAY_SAVE; way < WAYS && trial->found; way++) {
        SCOPED(outcome_clear) struct outcome outcome = {0};
        TRY(time_way(trial, way, &outcome));
        trial->identical = trial->identical && trial->found && are_identical(&planned, &outcome);
    }
    return cache_file_walk(trial->cache->file, take_bytes, &trial->archive_bytes, trial->error);
}

static enum status measure_in(struct plan_cache *cache, struct recorder *recorder)
{
    for (size_t i = 0; i < sizeof planner_names / sizeof *planner_names; i++) {
        struct trial trial = {
            .cache = cache,
            .job = job_make(recorder->instance, &policy_flat, planners_find(planner_names[i])),
            .least_ns = {UINT64_MAX, UINT64_MAX, UINT64_MAX},
            .planner_ns = UINT64_MAX,
            .identical = true,
            .found = true,
            .error = recorder->error};
        trial.job.time_limit_ns = UINT64_C(60000000000);
        for (unsigned round = 0; round < ROUNDS && trial.found; round++)
            TRY(run_round(&trial));
        if (trial.found) {
            const struct record_number numbers[] = {
                {"planner_ns", (int64_t)trial.planner_ns},
                {"plan_ns", (int64_t)trial.least_ns[WAY_PLAN]},
                {"plan_and_save_ns", (int64_t)trial.least_ns[WAY_SAVE]},
                {"hit_ns", (int64_t)trial.least_ns[WAY_HIT]},
                {"archive_bytes", (int64_t)trial.archive_bytes},
                {"identical", trial.identical},
            };
            recorder_add_all(recorder, trial.job.planner->name, numbers,
                             sizeof numbers / sizeof *numbers);
        }
    }
    return recorder->status;
}

static void measure(struct recorder *recorder)
{
    struct plan_cache *cache;
    char path[512];
    recorder_make_folder(recorder, path, sizeof path);
    if (recorder->status)
        return;
    recorder->status = cache_open_in(path, most_cache_bytes, &cache, recorder->error);
    if (recorder->status) {
        rmdir(path);
        return;
    }
    recorder->status = measure_in(cache, recorder);
    unlink(cache_file_path(cache->file));
    plan_cache_close(cache);
    rmdir(path);
}

const struct reproduction reproduction_cache = {
    .name = "cache",
    .title = "The plan cache",
    .paragraph = "Xu 2019, Table 6.2: twelve networks compiled, compiled and saved, and taken from "
                 "the cache. Here a plan is made, made and kept, and found.",
    .suite = "quantise",
    .tables = NAMES("cache"),
    .measure = measure,
    .shows_times = true,
};
