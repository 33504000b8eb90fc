#include "harness/run/twins.h"

#include <string.h>

#include "core/memory.h"
#include "core/quick_hash.h"
#include "core/sort.h"

static const struct instance *get_stored(const struct job *job)
{
    return job->ordered ? job->ordered->stored : job->instance;
}

static bool are_twins(const struct job *a, const struct job *b)
{
    return get_stored(a) == get_stored(b) && a->policy == b->policy && a->planner == b->planner &&
           a->seed == b->seed && a->repetition == b->repetition &&
           strcmp(a->instance->digest, b->instance->digest) == 0;
}

static uint64_t hash_job(const void *context, uint32_t number)
{
    const struct job *job = (const struct job *)context + number;
    const uint64_t parts[] = {quick_hash(job->instance->digest, strlen(job->instance->digest)),
                              quick_hash(job->planner->name, strlen(job->planner->name)), job->seed,
                              job->repetition, (uint64_t)(uintptr_t)get_stored(job)};
    return quick_hash(parts, sizeof parts);
}

enum status twins_find(const struct job *jobs, uint32_t count, const bool *left_out,
                       struct twins *twins, struct error *error)
{
    static const struct sort_key keys[SORT_MOST_KEYS] = {{.value = hash_job}};
    SCOPED(memory_release) uint32_t *sorted = NULL;
    uint32_t first = TWINS_NONE;
    TRY(memory_create_all(count, error, &sorted, &twins->follows, &twins->next));
    TRY(sort_by_keys(keys, jobs, count, sorted, error));
    for (uint32_t i = 0; i < count; i++)
        twins->next[i] = TWINS_NONE;
    /* Jobs with equal hashes are neighbours now, the earlier job first. */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t second = sorted[i];
        const struct job *job = &jobs[second];
        if (left_out[second] || !job->instance->graph ||
            (job->ordered && job->ordered->error.status))
            continue;
        if (first != TWINS_NONE && are_twins(&jobs[first], job)) {
            twins->next[first] = second;
            twins->follows[second] = true;
        }
        first = second;
    }
    return STATUS_OK;
}

void twins_free(struct twins *twins)
{
    memory_free_all(twins->follows, twins->next);
    *twins = (struct twins){.follows = NULL};
}
