#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache_folders.h"
#include "core/memory.h"
#include "harness/cache/cached_plan.h"
#include "harness/cache/plan_cache.h"
#include "harness/cache/structure.h"
#include "harness/catalogue/planners.h"
#include "harness/job/run.h"
#include "harness/jobs.h"
#include "support/fail_each.h"
#include "support/must.h"

static struct error warned;
static unsigned warnings;

static void keep_warning(const struct error *found)
{
    warned = *found;
    warnings++;
}

static const struct plan_cache_setup setup = {"a machine", keep_warning};

static char path[64];
static struct plan_cache *cache;

static void open_cache(uint64_t most_bytes)
{
    cache_folders_create(path);
    must(plan_cache_open_in(path, most_bytes, &setup, &cache, &error));
    warnings = 0;
}

static void begin(void)
{
    open_cache(UINT64_C(1) << 30);
}

static void end(void)
{
    plan_cache_close(cache);
    cache_folders_remove(path);
}

static struct job make_job(const struct instance *instance, const char *planner)
{
    struct job job = jobs_name(instance, instance->graph ? "recursive" : NULL, planner);
    job.time_limit_ns = UINT64_C(20000000000);
    return job;
}

static enum cache_use run(const struct job *job, struct outcome *outcome)
{
    enum cache_use use;
    must(plan_cache_run(cache, job, outcome, &use, &error));
    return use;
}

/* Only how it was got is asked for. */
static enum cache_use use_of(const struct job *job)
{
    SCOPED(outcome_clear) struct outcome outcome = {0};
    return run(job, &outcome);
}

static void expect_same(const struct outcome *a, const struct outcome *b)
{
    const struct search_record *p = a->search, *q = b->search;
    jobs_compare(a, b);
    CU_ASSERT_EQUAL(memcmp(a->wall_ns, b->wall_ns, a->samples * sizeof *a->wall_ns), 0);
    CU_ASSERT_EQUAL_FATAL(!p, !q);
    if (!p)
        return;
    CU_ASSERT_EQUAL(p->time_to_best_ns, q->time_to_best_ns);
    CU_ASSERT_EQUAL(memcmp(p->counter, q->counter, sizeof p->counter), 0);
    CU_ASSERT_EQUAL_FATAL(p->points, q->points);
    CU_ASSERT_EQUAL(memcmp(p->point, q->point, p->points * sizeof *p->point), 0);
}

/* Whole plans, split ones, pools, searches; graphs with branches and in place; problems. */
static void test_hit_is_same(void)
{
    static const char *const planners[] = {"large_first", "exclusive", "nnvm", "exact", "naive"};
    static const char *const names[] = {"luna/denoise", "patent/figure4", "zoo/resnet18",
                                        "bugs/while_unused_input"};
    enum { NAMES = sizeof names / sizeof *names, PLANNERS = sizeof planners / sizeof *planners };
    for (size_t i = 0; i < 2 * NAMES * PLANNERS; i++) {
        SCOPED(instance_release) struct instance *instance = jobs_load(names[i / 2 / PLANNERS]);
        SCOPED(outcome_clear) struct outcome planned = {0};
        SCOPED(outcome_clear) struct outcome found = {0};
        struct job job = make_job(instance, planners[i / 2 % PLANNERS]);
        job.inplace.rules = instance->graph && i % 2 ? inplace_find("nnvm") : NULL;
        end();
        begin();
        CU_ASSERT_EQUAL(run(&job, &planned), CACHE_PLANNED);
        CU_ASSERT_TRUE(outcome_is_good(&planned));
        CU_ASSERT_EQUAL(run(&job, &found), CACHE_HIT);
        expect_same(&planned, &found);
        CU_ASSERT_EQUAL(warnings, 0);
    }
}

/* Everything that a plan can depend on, one at a time. */
static void test_environment(void)
{
    SCOPED(instance_release) struct instance *instance = jobs_load("luna/denoise");
    enum { PLANNER, POLICY, ALIGNMENT, SEED, TIME, CAPACITY, INPLACE, DISABLED, REPETITION, JOBS };
    const struct job first = make_job(instance, "large_first");
    struct job job[JOBS];
    for (int i = 0; i < JOBS; i++)
        job[i] = first;
    job[PLANNER].planner = planners_find("short_first");
    job[POLICY].policy = policy_find("flat");
    job[ALIGNMENT].alignment_bytes = 64;
    job[SEED].seed = 2;
    job[TIME].time_limit_ns = 1000000000;
    job[CAPACITY].capacity_bytes = UINT64_C(1) << 40;
    job[INPLACE].inplace.rules = job[DISABLED].inplace.rules = inplace_find("nnvm");
    job[DISABLED].inplace.disabled = "Relu";
    job[REPETITION].repetition = 1;
    CU_ASSERT_EQUAL(use_of(&first), CACHE_PLANNED);
    for (int i = 0; i < JOBS; i++)
        CU_ASSERT_EQUAL(use_of(&job[i]), CACHE_PLANNED);
    CU_ASSERT_EQUAL(use_of(&first), CACHE_HIT);
    cache->process.program[0] ^= 1;
    CU_ASSERT_EQUAL(use_of(&first), CACHE_PLANNED);
    cache->process.hardware[0] = 'A';
    CU_ASSERT_EQUAL(use_of(&first), CACHE_PLANNED);
}

/* A graph with other weights has the same plan, which is kept under them too. */
static void test_weights_replaced(void)
{
    SCOPED(instance_release) struct instance *instance = jobs_load("zoo/squeezenet");
    const struct job job = make_job(instance, "large_first");
    SCOPED(outcome_clear) struct outcome planned = {0};
    SCOPED(outcome_clear) struct outcome found = {0};
    CU_ASSERT_EQUAL(run(&job, &planned), CACHE_PLANNED);
    instance->graph->weight[3].bytes /= 2;
    CU_ASSERT_EQUAL(run(&job, &found), CACHE_REPLACED);
    expect_same(&planned, &found);
    CU_ASSERT_EQUAL(cache_folders_count(cache->file), 2);
    CU_ASSERT_EQUAL(use_of(&job), CACHE_HIT);
    instance->graph->weight[3].bytes *= 2;
    CU_ASSERT_EQUAL(use_of(&job), CACHE_HIT);
    CU_ASSERT_EQUAL(cache_folders_count(cache->file), 2);
    CU_ASSERT_EQUAL(warnings, 0);
}

static void write_values(const char *name, uint64_t bytes, int value)
{
    FILE *file = fopen(name, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    for (uint64_t i = 0; i < bytes; i++)
        fputc(i == bytes / 2 ? value : 7, file);
    fclose(file);
}

/* One byte of one weight's values is another. */
static void test_values(void)
{
    char values[128];
    SCOPED(instance_release) struct instance *instance = jobs_load("zoo/squeezenet");
    const struct job job = make_job(instance, "large_first");
    struct outcome outcome;
    enum cache_use use;
    uint64_t bytes = 0;
    for (uint32_t w = 0; w < instance->graph->weights; w++)
        bytes += instance->graph->weight[w].bytes;
    snprintf(values, sizeof values, "%s/values.raw", path);
    CU_ASSERT_EQUAL(use_of(&job), CACHE_PLANNED);
    cache->values = values;
    write_values(values, bytes, 1);
    CU_ASSERT_EQUAL(use_of(&job), CACHE_REPLACED);
    CU_ASSERT_EQUAL(use_of(&job), CACHE_HIT);
    write_values(values, bytes, 2);
    CU_ASSERT_EQUAL(use_of(&job), CACHE_REPLACED);
    write_values(values, bytes - 1, 2);
    CU_ASSERT_EQUAL(plan_cache_find(cache, &job, &outcome, &use, &error), STATUS_BAD_INPUT);
    write_values(values, bytes + 1, 2);
    CU_ASSERT_EQUAL(plan_cache_find(cache, &job, &outcome, &use, &error), STATUS_BAD_INPUT);
    unlink(values);
    CU_ASSERT_EQUAL(plan_cache_find(cache, &job, &outcome, &use, &error), STATUS_BAD_INPUT);
}

/* Names do not matter, everything else of a graph but the weights does. */
static void test_structure(void)
{
    SCOPED(instance_release) struct instance *instance = jobs_load("luna/denoise");
    struct graph *graph = instance->graph;
    SCOPED(text_free) struct text first = {0};
    SCOPED(text_free) struct text second = {0};
    SCOPED(text_free) struct text third = {0};
    SCOPED(text_free) struct text fourth = {0};
    must(structure_write(instance, &first, &error));
    graph->tensor_names.text[0] ^= 1;
    graph->weight[0].bytes++;
    must(structure_write(instance, &second, &error));
    CU_ASSERT_STRING_EQUAL(first.bytes, second.bytes);
    graph->tensor[graph->tensors - 1].bytes++;
    must(structure_write(instance, &third, &error));
    CU_ASSERT_STRING_NOT_EQUAL(first.bytes, third.bytes);
    graph->region[graph->regions - 1].probability = 0.125;
    must(structure_write(instance, &fourth, &error));
    CU_ASSERT_STRING_NOT_EQUAL(third.bytes, fourth.bytes);
}

static void test_damage(void)
{
    static const int places[] = {0, 4, 16, 30, 1030, 1100, -70, -1};
    SCOPED(instance_release) struct instance *instance = jobs_load("luna/denoise");
    const struct job job = make_job(instance, "large_first");
    CU_ASSERT_EQUAL(use_of(&job), CACHE_PLANNED);
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        cache_folders_damage(path, places[i]);
        CU_ASSERT_EQUAL(use_of(&job), CACHE_PLANNED);
        CU_ASSERT_EQUAL(warnings, i + 1);
        CU_ASSERT_PTR_NOT_NULL(strstr(warned.file, path));
        CU_ASSERT_PTR_NOT_NULL(strstr(warned.text, "set aside, planned again"));
        CU_ASSERT_EQUAL(cache_folders_count(cache->file), i + 2);
        CU_ASSERT_EQUAL(use_of(&job), CACHE_HIT);
    }
}

/* A good archive in the entry of another one, whose plan is of another graph. */
static void test_wrong_entry(void)
{
    SCOPED(instance_release) struct instance *one = jobs_load("luna/denoise");
    SCOPED(instance_release) struct instance *other = jobs_load("zoo/resnet18");
    const struct job first = make_job(one, "large_first"), second = make_job(other, "large_first");
    use_of(&first);
    use_of(&second);
    cache_folders_run(path, "UPDATE plans SET archive = (SELECT archive FROM plans WHERE "
                            "sequence = 1) WHERE sequence = 2");
    CU_ASSERT_EQUAL(use_of(&second), CACHE_PLANNED);
    CU_ASSERT_PTR_NOT_NULL(strstr(warned.text, "expected that of its entry"));
}

/* Stores the plan that a job makes as if another one had made it without proving it. */
static uint64_t store_unproved(const struct job *made, const struct job *job)
{
    SCOPED(outcome_clear) struct outcome outcome = {0};
    must(job_run(made, &outcome, &error));
    outcome.status = PLAN_FEASIBLE;
    outcome.measures.lower_bound_bytes = outcome.measures.load_bytes;
    plan_cache_store(cache, job, &outcome);
    return outcome.measures.peak_bytes;
}

/* What a search did not prove is planned again, starting there: never worse, and kept for good once
   it is proved. */
static void test_unproved(void)
{
    SCOPED(instance_release)
    struct instance *instance = jobs_load("generate:gap?buffers=25&seed=3");
    const struct job job = make_job(instance, "exact");
    struct job hurried = job;
    struct outcome outcome;
    enum cache_use use;
    hurried.time_limit_ns = 1;
    uint64_t least_bytes = store_unproved(&job, &hurried);
    uint64_t peak_bytes = store_unproved(&hurried, &job);
    CU_ASSERT(least_bytes < peak_bytes);

    must(plan_cache_find(cache, &job, &outcome, &use, &error));
    CU_ASSERT_EQUAL(use, CACHE_PLANNED);
    CU_ASSERT_EQUAL(run(&hurried, &outcome), CACHE_KEPT);
    CU_ASSERT_EQUAL(outcome.measures.peak_bytes, least_bytes);
    outcome_clear(&outcome);
    CU_ASSERT_EQUAL(run(&job, &outcome), CACHE_IMPROVED);
    CU_ASSERT_EQUAL(outcome.status, PLAN_OPTIMAL);
    CU_ASSERT_EQUAL(outcome.measures.peak_bytes, least_bytes);
    outcome_clear(&outcome);
    CU_ASSERT_EQUAL(use_of(&job), CACHE_HIT);
    CU_ASSERT_EQUAL(cache_folders_count(cache->file), 2);
}

/* Texts that are no plan of the job are refused, and so is the plan of another graph. */
static void test_wrong_plans(void)
{
#define CACHED "{\"format\": \"memplan-cached-plan/1\""
    static const char *const texts[] = {
        "",
        "{}",
        "[]",
        "{\"format\": \"memplan-plan/1\"}",
        CACHED "}",
        CACHED ", \"status\": \"crash\", \"stop_reason\": \"\"}",
        CACHED ", \"status\": \"optimal\", \"stop_reason\": \"\", \"wall_ns\": []}",
        CACHED ", \"status\": \"optimal\", \"stop_reason\": \"\", \"wall_ns\": [1], \"peak\": -1}"};
    SCOPED(instance_release) struct instance *one = jobs_load("luna/denoise");
    SCOPED(instance_release) struct instance *other = jobs_load("zoo/resnet18");
    const struct job first = make_job(one, "large_first"), second = make_job(other, "large_first");
    SCOPED(outcome_clear) struct outcome outcome = jobs_run(&first);
    SCOPED(text_free) struct text text = {0};
    struct outcome read;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        text.length = 0;
        text_append(&text, "%s", texts[i]);
        CU_ASSERT_EQUAL(cached_plan_read(&text, "x", &first, &read, &error), STATUS_BAD_INPUT);
    }
    text.length = 0;
    must(cached_plan_write(&outcome, &text, &error));
    CU_ASSERT_EQUAL(cached_plan_read(&text, "x", &second, &read, &error), STATUS_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "offsets of this job"));
}

/* Nothing is kept of a job without a plan, or in a cache without room. A cache that cannot be
   written makes no plan fail. */
static void test_nothing_is_kept(void)
{
    SCOPED(instance_release) struct instance *small = jobs_load("patent/figure4");
    SCOPED(instance_release) struct instance *instance = jobs_load("luna/denoise");
    const struct job job = make_job(instance, "large_first");
    struct job without = make_job(small, "exact");
    without.capacity_bytes = 10;
    CU_ASSERT_EQUAL(use_of(&without), CACHE_PLANNED);
    CU_ASSERT_EQUAL(use_of(&without), CACHE_PLANNED);
    CU_ASSERT_EQUAL(cache_folders_count(cache->file), 0);
    end();
    open_cache(100);
    CU_ASSERT_EQUAL(use_of(&job), CACHE_PLANNED);
    CU_ASSERT_EQUAL(use_of(&job), CACHE_PLANNED);
    CU_ASSERT_EQUAL(cache_folders_count(cache->file), 0);
    CU_ASSERT_EQUAL(warnings, 0);
    cache_folders_run(path, "DROP TABLE plans");
    CU_ASSERT_EQUAL(use_of(&job), CACHE_PLANNED);
    CU_ASSERT(warnings > 0);
}

static void test_variables(void)
{
    struct plan_cache *opened;
    setenv("XDG_CACHE_HOME", path, 1);
    setenv("MEMPLAN_CACHE_DISABLE", "1", 1);
    must(plan_cache_open(&setup, &opened, &error));
    CU_ASSERT_PTR_NULL(opened);
    setenv("MEMPLAN_CACHE_DISABLE", "yes", 1);
    CU_ASSERT_EQUAL(plan_cache_open(&setup, &opened, &error), STATUS_USAGE);
    setenv("MEMPLAN_CACHE_DISABLE", "0", 1);
    setenv("MEMPLAN_CACHE_MAX_BYTES", "much", 1);
    CU_ASSERT_EQUAL(plan_cache_open(&setup, &opened, &error), STATUS_USAGE);
    setenv("MEMPLAN_CACHE_MAX_BYTES", "3KiB", 1);
    must(plan_cache_open(&setup, &opened, &error));
    CU_ASSERT_PTR_NOT_NULL_FATAL(opened);
    CU_ASSERT_EQUAL(cache_file_most_bytes(opened->file), 3072);
    char folder[80];
    snprintf(folder, sizeof folder, "%s/memplan", path);
    CU_ASSERT_EQUAL(strncmp(cache_file_path(opened->file), folder, strlen(folder)), 0);
    plan_cache_close(opened);
    cache_folders_remove(folder);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    must(plan_cache_open(&setup, &opened, &error));
    CU_ASSERT_PTR_NULL(opened);
}

static enum status write_and_read(const void *input, struct error *found)
{
    const struct job *job = input;
    SCOPED(outcome_clear) struct outcome outcome = {0};
    SCOPED(outcome_clear) struct outcome read = {0};
    SCOPED(text_free) struct text text = {0};
    SCOPED(cache_key_free) struct cache_key key = {0};
    struct cache_process process = {.program = "x", .hardware = "y"};
    TRY(job_run(job, &outcome, found));
    TRY(cached_plan_write(&outcome, &text, found));
    TRY(cached_plan_read(&text, "x", job, &read, found));
    return cache_key_create(&process, job, NULL, &key, found);
}

static void test_memory(void)
{
    SCOPED(instance_release) struct instance *instance = jobs_load("patent/figure4");
    struct job job = make_job(instance, "exclusive");
    fail_each(write_and_read, &job);
}

static const struct test_case cases[] = {
    {"what is found is what was planned", test_hit_is_same},
    {"another environment is another plan", test_environment},
    {"other weights replace those of a plan", test_weights_replaced},
    {"values of weights are told apart", test_values},
    {"the structure has no names and no weights", test_structure},
    {"a damaged entry is named, set aside and planned again", test_damage},
    {"a plan in the entry of another one is damaged", test_wrong_entry},
    {"what was not proved is where planning starts", test_unproved},
    {"texts that are no plan are refused", test_wrong_plans},
    {"nothing is kept without a plan or room", test_nothing_is_kept},
    {"the environment variables", test_variables},
    {"every allocation may fail", test_memory},
};

int main(void)
{
    return testing_run_between("plan cache", cases, sizeof cases / sizeof *cases, begin, end);
}
