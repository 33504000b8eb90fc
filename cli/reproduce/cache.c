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

struct timing {
    uint64_t ns[WAYS][ROUNDS];
    uint64_t planner_ns[ROUNDS]; /* time inside the planner alone */
    uint64_t archive_bytes;
    bool found, identical;
};

/* Times one planner's plans of one instance. */
struct trial {
    struct plan_cache *cache;
    struct job job;
    struct timing timing;
    struct error *error;
};

static enum status time_way(struct trial *trial, enum way way, unsigned round,
                            struct outcome *outcome)
{
    static const enum cache_use expected[WAYS] = {CACHE_OFF, CACHE_PLANNED, CACHE_HIT};
    enum cache_use use;
    uint64_t began_ns = clock_monotonic_ns();
    TRY(plan_cache_run(way == WAY_PLAN ? NULL : trial->cache, &trial->job, outcome, &use,
                       trial->error));
    trial->timing.ns[way][round] = clock_monotonic_ns() - began_ns;
    trial->timing.found = outcome_found(outcome);
    if (use == expected[way] || !trial->timing.found)
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

static enum status run_round(struct trial *trial, unsigned round)
{
    SCOPED(outcome_clear) struct outcome planned = {0};
    uint32_t removed;
    TRY(cache_file_clear(trial->cache->file, &removed, trial->error));
    TRY(time_way(trial, WAY_PLAN, round, &planned));
    trial->timing.planner_ns[round] = outcome_median_ns(&planned);
    /* Plans with an empty cache and then with one that has the plan; both results are compared with
       a plan that was made without a cache. */
    for (enum way way = WAY_SAVE; way < WAYS && trial->timing.found; way++) {
        SCOPED(outcome_clear) struct outcome outcome = {0};
        TRY(time_way(trial, way, round, &outcome));
        trial->timing.identical =
            trial->timing.identical && trial->timing.found && are_identical(&planned, &outcome);
    }
    return cache_file_walk(trial->cache->file, take_bytes, &trial->timing.archive_bytes,
                           trial->error);
}

/* The shortest round, since other work on the machine can only make a round longer. */
static int64_t find_least(const uint64_t ns[ROUNDS])
{
    uint64_t least = ns[0];
    for (int i = 1; i < ROUNDS; i++)
        least = ns[i] < least ? ns[i] : least;
    return (int64_t)least;
}

static enum status measure_in(struct plan_cache *cache, struct recorder *recorder)
{
    for (size_t i = 0; i < sizeof planner_names / sizeof *planner_names; i++) {
        struct trial trial = {
            .cache = cache,
            .job = job_make(recorder->instance, &policy_flat, planners_find(planner_names[i])),
            .timing = {.identical = true, .found = true},
            .error = recorder->error};
        trial.job.time_limit_ns = UINT64_C(60000000000);
        for (unsigned round = 0; round < ROUNDS && trial.timing.found; round++)
            TRY(run_round(&trial, round));
        if (trial.timing.found) {
            const struct timing *timing = &trial.timing;
            const struct record_number numbers[] = {
                {"planner_ns", find_least(timing->planner_ns)},
                {"plan_ns", find_least(timing->ns[WAY_PLAN])},
                {"plan_and_save_ns", find_least(timing->ns[WAY_SAVE])},
                {"hit_ns", find_least(timing->ns[WAY_HIT])},
                {"archive_bytes", (int64_t)timing->archive_bytes},
                {"identical", timing->identical},
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
    .tables = (const char *const[]){"cache", NULL},
    .measure = measure,
    .shows_times = true,
};
