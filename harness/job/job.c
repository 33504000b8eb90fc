#include "harness/job/job.h"

#include <inttypes.h>
#include <stdio.h>

struct job job_make(const struct instance *instance, const struct policy *policy,
                    const struct planner *planner)
{
    return (struct job){.instance = instance,
                        .policy = policy,
                        .planner = planner,
                        .capacity_bytes = UINT64_MAX,
                        .time_limit_ns = UINT64_MAX,
                        .seed = 1,
                        .options = ""};
}

enum status job_launch(const struct job *job, const struct placement *placement,
                       struct graph **launched, struct error *error)
{
    *launched = NULL;
    if (!job->policy->launch)
        return STATUS_OK;
    return job->policy->launch(job->instance->graph, placement, launched, error);
}

const char *job_policy_name(const struct job *job)
{
    return job->policy ? job->policy->name : "problem";
}

void job_write_settings(const struct job *job, char text[JOB_SETTINGS_BYTES])
{
    const struct {
        const char *name;
        uint64_t value, usual;
    } numbers[] = {
        {"time_limit_ns", job->time_limit_ns, UINT64_MAX},
        {"memory_limit_bytes", job->memory_limit_bytes, 0},
        {"threads", job->threads ? job->threads : 1, 1},
        {"jobs", job->workers ? job->workers : 1, 1},
    };
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].value != numbers[i].usual)
            used += (size_t)snprintf(text + used, JOB_SETTINGS_BYTES - used, "%s%s=%" PRIu64,
                                     used ? " " : "", numbers[i].name, numbers[i].value);
    if (job->planner->content)
        snprintf(text + used, JOB_SETTINGS_BYTES - used, "%scontent=%s", used ? " " : "",
                 job->planner->content);
}
