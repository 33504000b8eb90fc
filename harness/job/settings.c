#include "harness/job/settings.h"

#include <inttypes.h>
#include <stdio.h>

void settings_write(const struct job *job, char text[SETTINGS_BYTES])
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
            used += (size_t)snprintf(text + used, SETTINGS_BYTES - used, "%s%s=%" PRIu64,
                                     used ? " " : "", numbers[i].name, numbers[i].value);
    if (job->planner->content)
        snprintf(text + used, SETTINGS_BYTES - used, "%scontent=%s", used ? " " : "",
                 job->planner->content);
}
