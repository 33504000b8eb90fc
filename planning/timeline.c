#include "planning/timeline.h"

#include <stdlib.h>

#include "core/memory.h"

struct keyed {
    uint32_t key, segment;
};

static int compare_keyed(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->segment < b->segment ? -1 : a->segment > b->segment;
}

static void sort_segments(const uint32_t *key, uint32_t count, struct keyed *scratch,
                          uint32_t *sorted)
{
    for (uint32_t s = 0; s < count; s++)
        scratch[s] = (struct keyed){key[s], s};
    qsort(scratch, count, sizeof *scratch, compare_keyed);
    for (uint32_t s = 0; s < count; s++)
        sorted[s] = scratch[s].segment;
}

static void fill_timeline(const struct problem *problem, struct keyed *scratch,
                          struct timeline *timeline)
{
    sort_segments(problem->lower, problem->segments, scratch, timeline->by_lower);
    sort_segments(problem->upper, problem->segments, scratch, timeline->by_upper);
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            timeline->buffer[s] = b;
}

enum status timeline_create(const struct problem *problem, struct timeline *timeline,
                            struct error *error)
{
    uint32_t count = problem->segments;
    struct keyed *scratch = NULL;
    enum status status;
    *timeline = (struct timeline){0};
    TRY_OR_DONE(status, memory_create(&timeline->by_lower, count, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&timeline->by_upper, count, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&timeline->buffer, count, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&scratch, count, sizeof *scratch, error));
    fill_timeline(problem, scratch, timeline);
done:
    memory_free(scratch);
    if (status)
        timeline_free(timeline);
    return status;
}

void timeline_free(struct timeline *timeline)
{
    memory_free(timeline->by_lower);
    memory_free(timeline->by_upper);
    memory_free(timeline->buffer);
    *timeline = (struct timeline){0};
}
