#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "datasets/zoo/zoo.h"
#include "harness/catalogue/planners.h"
#include "harness/job/job.h"
#include "harness/jobs.h"
#include "harness/layout/trace.h"
#include "planning/policies/policy.h"
#include "support/must.h"

/* Published models under every policy: verify and execute share nothing with the reader's idea of
   lifetimes. */
static const char *const models[] = {
    "multi_subgraphs_while", "nested_while",  "while_op_with_forwarding_input",
    "keyword_scrambled",     "person_detect", "torchaudio_conformer",
};

static void check_good(const struct job *job, const struct outcome *outcome)
{
    if (!outcome_is_good(outcome))
        printf("\n    %s under %s", job->instance->name, job->policy->name);
    CU_ASSERT_TRUE(outcome_is_good(outcome));
}

static void test_policies(void)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char file[100], path[4096];
        snprintf(file, sizeof file, "tflite/%s.tflite", models[i]);
        if (!testing_dataset(file, path, sizeof path))
            continue;
        SCOPED(instance_release) struct instance *instance = jobs_load(path);
        for (uint32_t q = 0; q < policy_count(); q++) {
            const struct job job = job_make(instance, policy_at(q), planners_find("large_first"));
            if (job.policy->flags & POLICY_UNSAFE)
                continue;
            SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
            SCOPED(text_free) struct text text = {0};
            check_good(&job, &outcome);
            must(trace_write(&job, &outcome, &text, &error));
            CU_ASSERT_PTR_NOT_NULL_FATAL(text.bytes);
            CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, "\"traceEvents\": ["));
            CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, "\"ph\": \"X\""));
            CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, "\"live bytes\""));
        }
    }
}

/* What both branches leave in a block counts once: never more bytes than the plan's peak. */
static void test_counter(void)
{
    SCOPED(instance_release) struct instance *instance = jobs_load("paper/figure1");
    const struct job job = jobs_name(instance, "recursive", "large_first");
    SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
    SCOPED(text_free) struct text text = {0};
    uint64_t most = 0;
    must(trace_write(&job, &outcome, &text, &error));
    for (const char *at = text.bytes; (at = strstr(at, "\"bytes\": ")) != NULL;) {
        at += strlen("\"bytes\": ");
        uint64_t bytes = strtoull(at, NULL, 10);
        most = bytes > most ? bytes : most;
    }
    CU_ASSERT_TRUE(most > 0 && most <= outcome.measures.peak_bytes);
}

/* Every network under every set of options is built, checked, planned, verified and executed. */

static const struct {
    const char *options;
    unsigned needs; /* ZOO_... */
} option_sets[] = {
    {"", 0},
    {"?batch=8", 0},
    {"?dtype=float16", 0},
    {"?dtype=int8&batch=3", 0},
    {"?dtype=int4", 0},
    {"?fuse=0", 0},
    {"?training=1", ZOO_TRAINING},
    {"?training=1&batch=32&dtype=bfloat16", ZOO_TRAINING},
    {"?sequence=16", ZOO_SEQUENCE},
    {"?sequence=100&batch=2", ZOO_SEQUENCE},
    {"?image=320", ZOO_IMAGE},
    {"?image=240x300&fuse=0", ZOO_IMAGE},
    {"?image=320&training=1", ZOO_IMAGE | ZOO_TRAINING},
};

static void check_outcome(const struct instance *instance, const char *policy)
{
    struct job job = jobs_name(instance, policy, "large_first");
    job.alignment_bytes = 64;
    SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
    check_good(&job, &outcome);
    CU_ASSERT_TRUE(outcome.measures.load_bytes <= outcome.measures.peak_bytes);
}

static void test_every_network(void)
{
    for (uint32_t i = 0; i < zoo_count(); i += TESTING_COUNT(1, 3))
        for (size_t k = 0; k < sizeof option_sets / sizeof *option_sets; k++) {
            const struct zoo_network *zoo = zoo_at(i);
            char name[128];
            if (option_sets[k].needs & ~zoo->options)
                continue;
            snprintf(name, sizeof name, "%s%s", zoo->name, option_sets[k].options);
            SCOPED(instance_release) struct instance *instance = jobs_load(name);
            CU_ASSERT_EQUAL(graph_has_control_flow(instance->graph), zoo->has_control_flow);
            check_outcome(instance, "flat");
            if (zoo->has_control_flow)
                check_outcome(instance, "recursive");
        }
}

/* What the patent's example needs, in bytes: without reuse, by the patent's rule, by the same order
   without splitting, and at least. */
static const struct {
    const char *planner;
    uint64_t peak_bytes;
} published[] = {
    {"naive", 69000000},       {"exclusive", 46000000}, {"exclusive_published", 46000000},
    {"large_first", 46000000}, {"glpk", 43000000},
};

static void test_peaks(void)
{
    SCOPED(instance_release) struct instance *instance = jobs_load("patent/figure4");
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const struct job job = jobs_name(instance, "flat", published[i].planner);
        if (!job.planner)
            continue;
        SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
        if (outcome.status != PLAN_UNSUPPORTED) {
            CU_ASSERT_TRUE(outcome_is_good(&outcome));
            CU_ASSERT_EQUAL(outcome.measures.peak_bytes, published[i].peak_bytes);
            CU_ASSERT_EQUAL(outcome.measures.load_bytes, 43000000);
        }
    }
}

/* What a shortcut adds up later is overwritten where the document's kinds are all there is. */
static void test_residual_network(void)
{
    SCOPED(instance_release) struct instance *instance = jobs_load("zoo/resnet50");
    for (int safe = 0; safe < 2; safe++) {
        const struct job job =
            jobs_name(instance, "flat", safe ? "exclusive" : "exclusive_published");
        SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
        CU_ASSERT_EQUAL(outcome.verdict.fault, safe ? VERIFY_VALID : VERIFY_OVERLAP);
        CU_ASSERT_EQUAL(outcome.execution.intact, safe);
    }
}

static const struct test_case cases[] = {
    {"published models are valid and intact", test_policies},
    {"the counter of a trace stays below the peak", test_counter},
    {"every network under every set of options", test_every_network},
    {"peaks of figure 4", test_peaks},
    {"shortcuts of a residual network", test_residual_network},
};

TESTING_MAIN("harness/models", cases)
