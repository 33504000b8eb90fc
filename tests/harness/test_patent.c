#include "harness/job/job.h"
#include "harness/planners/planners.h"
#include "planning/policies/policy.h"
#include "support/testing.h"

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
    struct error error;
    struct instance *instance;
    CU_ASSERT_EQUAL_FATAL(instance_load("patent/figure4", NULL, &instance, &error), STATUS_OK);
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        struct outcome outcome;
        const struct job job = {.instance = instance,
                                .policy = policy_find("flat"),
                                .planner = planners_find(published[i].planner),
                                .capacity_bytes = UINT64_MAX,
                                .time_limit_ns = UINT64_MAX,
                                .alignment_bytes = 1,
                                .options = ""};
        if (!job.planner)
            continue;
        CU_ASSERT_EQUAL_FATAL(job_run(&job, &outcome, &error), STATUS_OK);
        if (outcome.status != PLAN_UNSUPPORTED) {
            CU_ASSERT_TRUE(outcome_is_good(&outcome));
            CU_ASSERT_EQUAL(outcome.measures.peak_bytes, published[i].peak_bytes);
            CU_ASSERT_EQUAL(outcome.measures.load_bytes, 43000000);
        }
        outcome_clear(&outcome);
    }
    instance_free(instance);
}

/* What a shortcut adds up later is overwritten where the document's kinds are all there is. */
static void test_residual_network(void)
{
    struct error error;
    struct instance *instance;
    CU_ASSERT_EQUAL_FATAL(instance_load("zoo/resnet50", NULL, &instance, &error), STATUS_OK);
    for (int safe = 0; safe < 2; safe++) {
        struct outcome outcome;
        const struct job job = {.instance = instance,
                                .policy = policy_find("flat"),
                                .planner =
                                    planners_find(safe ? "exclusive" : "exclusive_published"),
                                .capacity_bytes = UINT64_MAX,
                                .time_limit_ns = UINT64_MAX,
                                .alignment_bytes = 1,
                                .options = ""};
        CU_ASSERT_EQUAL_FATAL(job_run(&job, &outcome, &error), STATUS_OK);
        CU_ASSERT_EQUAL(outcome.verdict.fault, safe ? VERIFY_VALID : VERIFY_OVERLAP);
        CU_ASSERT_EQUAL(outcome.execution.intact, safe);
        outcome_clear(&outcome);
    }
    instance_free(instance);
}

static const struct test_case cases[] = {
    {"peaks of figure 4", test_peaks},
    {"shortcuts of a residual network", test_residual_network},
};

TESTING_MAIN("harness/patent", cases)
