#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "harness/catalogue/planners.h"
#include "harness/job/job.h"
#include "harness/jobs.h"
#include "harness/layout/trace.h"
#include "planning/policies/policy.h"
#include "support/testing.h"

static struct error error;

/* Published models under every policy: verify and execute share nothing with the reader's idea of
   lifetimes. */
static const char *const models[] = {
    "multi_subgraphs_while", "nested_while",  "while_op_with_forwarding_input",
    "keyword_scrambled",     "person_detect", "torchaudio_conformer",
};

static struct instance *load_model(const char *name)
{
    struct instance *instance = NULL;
    char file[100], path[4096];
    snprintf(file, sizeof file, "tflite/%s.tflite", name);
    if (!testing_dataset(file, path, sizeof path))
        return NULL;
    if (instance_load(path, NULL, &instance, &error))
        printf("\n    %s: %s\n", error.file, error.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(instance);
    return instance;
}

static void check_job(const struct instance *instance, const struct policy *policy)
{
    const struct job job = job_make(instance, policy, planners_find("large_first"));
    SCOPED(outcome_clear) struct outcome outcome = jobs_run(&job);
    if (!outcome_is_good(&outcome))
        printf("\n    %s under %s\n", instance->name, policy->name);
    CU_ASSERT_TRUE(outcome_is_good(&outcome));
    SCOPED(text_free) struct text text = {0};
    CU_ASSERT_EQUAL(trace_write(&job, &outcome, &text, &error), STATUS_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text.bytes);
    CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, "\"traceEvents\": ["));
    CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, "\"ph\": \"X\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, "\"live bytes\""));
}

static void test_policies(void)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        SCOPED(instance_release) struct instance *instance = load_model(models[i]);
        for (uint32_t q = 0; instance && q < policy_count(); q++)
            if (!(policy_at(q)->flags & POLICY_UNSAFE))
                check_job(instance, policy_at(q));
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
    CU_ASSERT_EQUAL_FATAL(trace_write(&job, &outcome, &text, &error), STATUS_OK);
    for (const char *at = text.bytes; (at = strstr(at, "\"bytes\": ")) != NULL;) {
        at += strlen("\"bytes\": ");
        uint64_t bytes = strtoull(at, NULL, 10);
        most = bytes > most ? bytes : most;
    }
    CU_ASSERT_TRUE(most > 0 && most <= outcome.measures.peak_bytes);
}

static const struct test_case cases[] = {
    {"published models are valid and intact", test_policies},
    {"the counter of a trace stays below the peak", test_counter},
};
TESTING_MAIN("harness/models", cases)
