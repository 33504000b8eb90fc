#include "planning/problem/timeline.h"

#include "core/sort.h"

static enum status sort_segments(const uint32_t *step, uint32_t count, uint64_t *key,
                                 uint32_t *sorted, struct error *error)
{
    for (uint32_t s = 0; s < count; s++) {
        key[s] = step[s];
        sorted[s] = s;
    }
    return sort_items(key, sorted, count, error);
}

enum status timeline_create(const struct problem *problem, struct timeline *timeline,
                            struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(timeline_free) struct timeline made = {0};
    uint32_t count = problem->segments;
    uint64_t *key;
    *timeline = made;
    TRY(scratch_take_all(&made.scratch, count, error, &made.by_lower, &made.by_upper,
                         &made.buffer));
    TRY(scratch_take(&scratch, &key, count, sizeof *key, error));
    TRY(sort_segments(problem->lower, count, key, made.by_lower, error));
    TRY(sort_segments(problem->upper, count, key, made.by_upper, error));
    assert(problem->buffers == 0 || problem->first[problem->buffers] == problem->segments);
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            made.buffer[s] = b;
    assert(count == 0 || made.buffer[count - 1] < problem->buffers);
    *timeline = made;
    made = (struct timeline){0};
    return STATUS_OK;
}

void timeline_free(struct timeline *timeline)
{
    scratch_free(&timeline->scratch);
    *timeline = (struct timeline){0};
}

enum status timeline_count_pairs(const struct problem *problem, uint64_t *pairs,
                                 struct error *error)
{
    SCOPED(timeline_free) struct timeline timeline = {0};
    uint32_t ended = 0;
    TRY(timeline_create(problem, &timeline, error));
    *pairs = 0;
    for (uint32_t i = 0; i < problem->segments; i++) {
        while (problem->upper[timeline.by_upper[ended]] <= problem->lower[timeline.by_lower[i]])
            ended++;
        assert(ended <= i);
        *pairs += i - ended;
    }
    return STATUS_OK;
}

enum status live_set_create(struct live_set *live, uint32_t limit, struct scratch *scratch,
                            struct error *error)
{
    live->count = 0;
    TRY(scratch_take(scratch, &live->item, limit, sizeof *live->item, error));
    return scratch_take(scratch, &live->position, limit, sizeof *live->position, error);
}
