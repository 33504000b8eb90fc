#include <stdio.h>
#include <string.h>

#include "datasets/zoo/zoo.h"
#include "harness/job/job.h"
#include "harness/jobs.h"
#include "support/testing.h"

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
    if (!outcome_is_good(&outcome))
        printf("\n    %s under %s", instance->name, policy);
    CU_ASSERT_EQUAL(outcome.verdict.fault, VERIFY_VALID);
    CU_ASSERT_TRUE(outcome.execution.intact);
    CU_ASSERT_TRUE(outcome_is_good(&outcome));
    CU_ASSERT_TRUE(outcome.measures.load_bytes <= outcome.measures.peak_bytes);
}

static void check_network(const struct zoo_network *zoo, const char *options)
{
    struct error error = ERROR_NONE;
    SCOPED(instance_release) struct instance *instance = NULL;
    char name[128];
    snprintf(name, sizeof name, "%s%s", zoo->name, options);
    if (instance_load(name, NULL, &instance, &error))
        printf("\n    %s: %s", name, error.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(instance);
    CU_ASSERT_EQUAL(graph_has_control_flow(instance->graph), zoo->has_control_flow);
    check_outcome(instance, "flat");
    if (zoo->has_control_flow)
        check_outcome(instance, "recursive");
}

static void test_every_network(void)
{
    for (uint32_t i = 0; i < zoo_count(); i++)
        for (size_t k = 0; k < sizeof option_sets / sizeof *option_sets; k++)
            if ((option_sets[k].needs & ~zoo_at(i)->options) == 0)
                check_network(zoo_at(i), option_sets[k].options);
}

static const struct test_case cases[] = {
    {"every network under every set of options", test_every_network},
};

TESTING_MAIN("harness/zoo_jobs", cases)
