#include "harness/job/job.h"
#include "harness/jobs.h"
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
    {"peaks of figure 4", test_peaks},
    {"shortcuts of a residual network", test_residual_network},
};

TESTING_MAIN("harness/patent", cases)
