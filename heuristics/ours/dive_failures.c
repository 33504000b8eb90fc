#include "heuristics/ours/dive_failures.h"

enum status dive_failures_create(struct dive_failures *failures, uint32_t sections,
                                 struct scratch *scratch, struct error *error)
{
    TRY(scratch_take(scratch, &failures->count, sections, sizeof *failures->count, error));
    return scratch_take(scratch, &failures->section, sections, sizeof *failures->section, error);
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
