#include "harness/job/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t get_time_limit(const struct job *job)
{
    return job->time_limit_ns;
}

static uint64_t get_memory_limit(const struct job *job)
{
    return job->memory_limit_bytes;
}

static uint64_t get_threads(const struct job *job)
{
    return job->threads ? job->threads : 1;
}

static uint64_t get_workers(const struct job *job)
{
    return job->workers ? job->workers : 1;
}

static const struct {
    const char *name;
    uint64_t usual;
    uint64_t (*get)(const struct job *job);
} numbers[] = {
    {"time_limit_ns", UINT64_MAX, get_time_limit},
    {"memory_limit_bytes", 0, get_memory_limit},
    {"threads", 1, get_threads},
    {"jobs", 1, get_workers},
};

void settings_write(const struct job *job, char text[SETTINGS_BYTES])
{
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        uint64_t value = numbers[i].get(job);
        if (value != numbers[i].usual)
            used += (size_t)snprintf(text + used, SETTINGS_BYTES - used, "%s%s=%" PRIu64,
                                     used ? " " : "", numbers[i].name, value);
    }
    if (job->planner->content)
        snprintf(text + used, SETTINGS_BYTES - used, "%scontent=%s", used ? " " : "",
                 job->planner->content);
}
