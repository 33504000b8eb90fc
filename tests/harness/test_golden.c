#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "datasets/suite.h"
#include "harness/job/job.h"
#include "harness/jobs.h"
#include "heuristics/heuristics.h"
#include "heuristics/order_fit/order_fit.h"
#include "planning/policies/policy.h"
#include "planning/problem/bounds.h"
#include "results/views/policies.h"
#include "support/must.h"

/* The peak of every built-in instance under every policy and heuristic, against GOLDEN_PEAKS. After
   a change that is meant, MEMPLAN_WRITE_GOLDEN=1 writes the file again;
   its diff is then reviewed. */

static const char heading[] = "instance,policy,planner,peak_bytes";

struct peak {
    char key[112]; /* "instance,policy,planner" */
    uint64_t bytes;
};

struct peaks {
    struct peak *row;
    uint32_t count;
    size_t capacity;
};

static struct peak *add_peak(struct peaks *peaks)
{
    must(memory_reserve(&peaks->row, &peaks->capacity, (size_t)peaks->count + 1, sizeof *peaks->row,
                        &error));
    return &peaks->row[peaks->count++];
}

/* Rows come in the same order mostly, so the search starts where the last one ended. */
static const struct peak *find_peak(const struct peaks *peaks, const char *key, uint32_t near)
{
    for (uint32_t i = 0; i < peaks->count; i++) {
        const struct peak *row = &peaks->row[(near + i) % peaks->count];
        if (strcmp(row->key, key) == 0)
            return row;
    }
    return NULL;
}

/* 0 for an unsafe plan that was caught, and where the rule does not apply. */
static uint64_t measure(const struct instance *instance, const struct policy *policy,
                        const struct planner *planner)
{
    const struct job job = job_make(instance, policy, planner);
    SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
    bool good = outcome_is_good(&outcome);
    CU_ASSERT_TRUE(good || outcome.status == PLAN_UNSUPPORTED || planner->flags & PLANNER_UNSAFE ||
                   (policy && policy->flags & POLICY_UNSAFE));
    return good ? outcome.measures.peak_bytes : 0;
}

/* Beside the strategies. */
static const char *const few[] = {"naive", "size_best_fit", "tflite_greedy_by_size"};

/* One planner in so many, by its name; all where the file is written. */
enum { SHARE = TESTING_COUNT(1, 36) };
static uint32_t share = SHARE;

static bool is_sampled(const char *planner)
{
    uint32_t sum = 0;
    for (; *planner; planner++)
        sum += (unsigned char)*planner;
    return sum % share == 0;
}

static bool is_measured(const struct planner *planner, const struct policy *policy, bool quick)
{
    if (policy && policy != &policy_flat && policy != &policy_recursive) {
        /* Planners tell each other apart under flat and recursive; the other policies only need
           problems of their own to be told. */
        for (unsigned i = 0; i < ROLES_STRATEGIES; i++)
            if (strcmp(roles_strategy(i), planner->name) == 0)
                return true;
        for (size_t i = 0; i < sizeof few / sizeof *few; i++)
            if (strcmp(few[i], planner->name) == 0)
                return true;
        return false;
    }
    return quick || !(planner->flags & PLANNER_SEARCHES);
}

/* The peaks of one instance under one policy. Searches would take minutes on all instances. */
static void measure_planners(struct peaks *peaks, const struct instance *instance,
                             const struct policy *policy)
{
    const struct suite *quick_suite = suite_find("quick");
    bool quick = false, has_devices = instance->graph && graph_has_devices(instance->graph);
    for (uint32_t i = 0; i < suite_instances(quick_suite); i++)
        quick |= strcmp(suite_instance(quick_suite, i), instance->name) == 0;
    for (uint32_t p = 0; p < heuristics_count(); p++) {
        const struct planner *planner = heuristics_at(p);
        if (!is_sampled(planner->name) || !is_measured(planner, policy, quick) ||
            (has_devices && !(planner->flags & PLANNER_DEVICES)))
            continue;
        struct peak *peak = add_peak(peaks);
        int length = snprintf(peak->key, sizeof peak->key, "%s,%s,%s", instance->name,
                              policy ? policy->name : "problem", planner->name);
        CU_ASSERT_FATAL(length > 0 && (size_t)length < sizeof peak->key);
        peak->bytes = measure(instance, policy, planner);
    }
}

static void measure_all(struct peaks *peaks)
{
    const struct suite *all = suite_find("all");
    for (uint32_t i = 0; i < suite_instances(all); i++) {
        SCOPED(instance_release) struct instance *instance = jobs_load(suite_instance(all, i));
        const struct graph *graph = instance->graph;
        for (uint32_t q = 0; graph && q < policy_count(); q++) {
            const struct policy *policy = policy_at(q);
            /* Where there is no control flow all policies are one, and two are enough. Of several
               streams only the policies that know them make plans; those plan a graph of one stream
               as well. */
            if (graph_has_streams(graph) && !policy_suits(policy, graph))
                continue;
            if (graph_has_control_flow(graph) || policy == &policy_flat ||
                policy == &policy_recursive)
                measure_planners(peaks, instance, policy);
        }
        if (!graph)
            measure_planners(peaks, instance, NULL);
    }
}

static void read_golden(struct peaks *peaks)
{
    SCOPED(text_free) struct text text = {0};
    struct text_line line = {0};
    must(text_read_file(GOLDEN_PEAKS, &text, &error));
    CU_ASSERT_FATAL(text_next_line(&text, &line));
    CU_ASSERT_FATAL(line.length == strlen(heading) &&
                    memcmp(line.start, heading, line.length) == 0);
    while (text_next_line(&text, &line)) {
        struct peak *peak = add_peak(peaks);
        size_t key = line.length;
        while (key > 0 && line.start[key - 1] != ',')
            key--;
        CU_ASSERT_FATAL(key > 0 && key <= sizeof peak->key);
        CU_ASSERT_FATAL(text_parse_u64(line.start + key, line.length - key, &peak->bytes));
        memcpy(peak->key, line.start, key - 1);
        peak->key[key - 1] = '\0';
        if (!is_sampled(strrchr(peak->key, ',') + 1))
            peaks->count--;
    }
}

/* How many rows of one are not in the other, or are with another peak. They go to report, which may
   be NULL. */
static uint32_t compare_peaks(const struct peaks *golden, const struct peaks *measured,
                              FILE *report)
{
    uint32_t different = 0;
    for (uint32_t i = 0; i < measured->count; i++) {
        const struct peak *now = &measured->row[i], *before = find_peak(golden, now->key, i);
        if (before && before->bytes == now->bytes)
            continue;
        if (report)
            fprintf(report, "\n    %s: %s: %llu, before %llu", before ? "changed" : "new", now->key,
                    (unsigned long long)now->bytes,
                    (unsigned long long)(before ? before->bytes : 0));
        different++;
    }
    for (uint32_t i = 0; i < golden->count; i++) {
        const struct peak *row = &golden->row[i];
        if (find_peak(measured, row->key, i))
            continue;
        if (report)
            fprintf(report, "\n    missing: %s: %llu", row->key, (unsigned long long)row->bytes);
        different++;
    }
    return different;
}

static void test_golden_peaks(void)
{
    struct peaks golden = {0}, measured = {0};
    const char *asked = getenv("MEMPLAN_WRITE_GOLDEN");
    bool writes = asked && strcmp(asked, "1") == 0;
    if (writes)
        share = 1;
    measure_all(&measured);
    if (writes) {
        SCOPED(text_free) struct text text = {0};
        text_append(&text, "%s\n", heading);
        for (uint32_t i = 0; i < measured.count; i++)
            text_append(&text, "%s,%llu\n", measured.row[i].key,
                        (unsigned long long)measured.row[i].bytes);
        must(text_write_file(GOLDEN_PEAKS, &text, &error));
        printf("\n    wrote %s ", GOLDEN_PEAKS);
    }
    read_golden(&golden);
    uint32_t different = compare_peaks(&golden, &measured, stdout);
    if (different)
        printf("\n    %u rows differ from %s; MEMPLAN_WRITE_GOLDEN=1 writes it again\n", different,
               GOLDEN_PEAKS);
    CU_ASSERT_EQUAL(different, 0);
    /* A golden file only guards what it lists once. */
    for (uint32_t i = 0; i < golden.count; i++)
        CU_ASSERT_PTR_EQUAL(find_peak(&golden, golden.row[i].key, 0), &golden.row[i]);
    memory_free(golden.row);
    memory_free(measured.row);
}

/* The comparison itself: one row changed, one new, one missing. */
static void test_comparison(void)
{
    struct peak before[] = {{"a,flat,p", 1}, {"b,flat,p", 2}, {"c,flat,p", 3}};
    struct peak after[] = {{"c,flat,p", 3}, {"b,flat,p", 4}, {"d,flat,p", 5}};
    const struct peaks golden = {before, 3, 3}, measured = {after, 3, 3}, none = {0};
    CU_ASSERT_EQUAL(compare_peaks(&golden, &golden, NULL), 0);
    CU_ASSERT_EQUAL(compare_peaks(&golden, &measured, NULL), 3);
    CU_ASSERT_EQUAL(compare_peaks(&none, &measured, NULL), 3);
    CU_ASSERT_EQUAL(compare_peaks(&golden, &none, NULL), 3);
}

/* The rows of USMP break ties by name; the references by row. */
static const struct planner ties_by_row[] = {
    {.name = "size_conflicts_top_fit",
     .rule = &(const struct order_fit){"size_conflicts", "top"},
     .plan = order_fit_plan},
    {.name = "conflicts_size_top_fit",
     .rule = &(const struct order_fit){"conflicts_size", "top"},
     .plan = order_fit_plan},
};

/* The heuristic with the settings behind a question mark; the caller frees it. */
static struct planner *configure_heuristic(const char *name)
{
    enum { BY_ROW = sizeof ties_by_row / sizeof *ties_by_row };
    size_t length = strcspn(name, "?");
    const struct planner *found = NULL;
    struct planner *planner;
    for (uint32_t i = 0; i < BY_ROW + heuristics_count() && !found; i++) {
        const struct planner *row = i < BY_ROW ? &ties_by_row[i] : heuristics_at(i - BY_ROW);
        if (strlen(row->name) == length && strncmp(row->name, name, length) == 0)
            found = row;
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    must(planner_configure(found, name[length] ? name + length + 1 : NULL, &planner, &error));
    return planner;
}

/* Peak by load, from an independent implementation that breaks ties by
   row, on data sets that are too large to ship. */
static void test_references(void)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(instance_release) struct instance *instance = NULL;
    struct text_line line = {0};
    char row[256], set[64], name[64], expected[16], found[16], path[1024], last[64] = "";
    uint64_t load = 1;
    uint32_t rows = 0;
    must(text_read_file(GOLDEN_REFERENCES, &text, &error));
    CU_ASSERT_FATAL(text_next_line(&text, &line)); /* the heading */
    for (; text_next_line(&text, &line); rows++) {
        snprintf(row, sizeof row, "%.*s", (int)line.length, line.start);
        CU_ASSERT_FATAL(sscanf(row, "%63[^,],%63[^,],%15s", set, name, expected) == 3);
        if (strcmp(set, last) != 0) {
            instance_free(instance);
            instance = NULL;
            if (!testing_dataset(set, path, sizeof path))
                return;
            instance = jobs_load(path);
            must(problem_load(instance->problem, &load, NULL, &error));
            strcpy(last, set);
        }
        SCOPED(planner_release) struct planner *planner = configure_heuristic(name);
        uint64_t peak = measure(instance, NULL, planner);
        snprintf(found, sizeof found, "%.4f", (double)peak / (double)load);
        if (strcmp(found, expected) != 0)
            printf("\n%s, %s: found %s, expected %s\n", set, name, found, expected);
        CU_ASSERT_STRING_EQUAL(found, expected);
    }
    CU_ASSERT_EQUAL(rows, 8 * 18);
}

static const struct test_case cases[] = {
    {"golden peaks", test_golden_peaks},

    {"every difference counts", test_comparison},
    {"reference values of planners.md", test_references},
};

TESTING_MAIN("harness/golden", cases)
