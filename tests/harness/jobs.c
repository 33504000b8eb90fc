#include "harness/jobs.h"

#include <stdio.h>

#include "harness/catalogue/planners.h"
#include "planning/policies/policy.h"
#include "support/testing.h"

static struct error error;

struct instance *jobs_load(const char *name)
{
    struct instance *instance;
    CU_ASSERT_EQUAL_FATAL(instance_load(name, NULL, &instance, &error), STATUS_OK);
    return instance;
}

struct job jobs_make(const struct instance *instance, const struct policy *policy,
                     const struct planner *planner)
{
    return (struct job){.instance = instance,
                        .policy = policy,
                        .planner = planner,
                        .capacity_bytes = UINT64_MAX,
                        .time_limit_ns = UINT64_MAX,
                        .seed = 1,
                        .alignment_bytes = 1,
                        .options = ""};
}

struct job jobs_name(const struct instance *instance, const char *policy, const char *planner)
{
    return jobs_make(instance, policy ? policy_find(policy) : NULL, planners_find(planner));
}

struct outcome jobs_run(const struct job *job)
{
    struct outcome outcome;
    enum status status = job_run(job, &outcome, &error);
    if (status)
        printf("\n    %s\n", error.text);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
    return outcome;
}
