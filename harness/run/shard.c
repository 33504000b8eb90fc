#include "harness/run/shard.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "core/memory.h"
#include "core/quick_hash.h"
#include "core/sort.h"

static uint64_t digest_planner(const void *context, uint32_t number)
{
    const struct job *job = (const struct job *)context + number;
    return quick_hash(job->planner->name, strlen(job->planner->name));
}

/* A digest of everything that tells the jobs of one planner apart within a matrix. */
static uint64_t digest_job(const void *context, uint32_t number)
{
    const struct job *job = (const struct job *)context + number;
    const char *policy = job_policy_name(job);
    const uint64_t parts[] = {quick_hash(job->instance->digest, strlen(job->instance->digest)),
                              quick_hash(job->instance->name, strlen(job->instance->name)),
                              quick_hash(policy, strlen(policy)), job->seed, job->repetition};
    return quick_hash(parts, sizeof parts);
}

enum status shard_keep(uint32_t shard, uint32_t shards, struct job *job, uint32_t *count,
                       struct error *error)
{
    static const struct sort_key keys[SORT_MOST_KEYS] = {{.value = digest_planner},
                                                         {.value = digest_job}};
    SCOPED(memory_release) uint32_t *sorted = NULL;
    SCOPED(memory_release) bool *kept = NULL;
    if (shards <= 1)
        return STATUS_OK;
    assert(1 <= shard && shard <= shards);
    TRY(memory_create_all(*count, error, &sorted, &kept));
    TRY(sort_by_keys(keys, job, *count, sorted, error));
    for (uint32_t i = shard - 1; i < *count; i += shards)
        kept[sorted[i]] = true;
    uint32_t left = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (kept[i])
            job[left++] = job[i];
    *count = left;
    return STATUS_OK;
}
