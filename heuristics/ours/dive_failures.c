#include "heuristics/ours/dive_failures.h"

#include "core/memory.h"

enum status dive_failures_create(struct dive_failures *failures, uint32_t sections,
                                 struct error *error)
{
    TRY(memory_create(&failures->count, sections, sizeof *failures->count, error));
    return memory_create(&failures->section, sections, sizeof *failures->section, error);
}

void dive_failures_free(struct dive_failures *failures)
{
    memory_free(failures->count);
    memory_free(failures->section);
}

void dive_failures_add(struct dive_failures *failures, uint32_t section)
{
    uint64_t count = ++failures->count[section];
    if (count == 1)
        failures->section[failures->failed++] = section;
    if (count > failures->most)
        failures->most = count;
    failures->last = section;
}

double dive_failures_factor(const struct dive_failures *failures, uint32_t section)
{
    return 1 + (double)failures->count[section] / ((double)failures->most + 1);
}
