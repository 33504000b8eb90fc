#include "planning/problem/timeline.h"

#include <assert.h>

#include "core/memory.h"
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

static void fill_owners(const struct problem *problem, uint32_t *buffer)
{
    assert(problem->buffers == 0 || problem->first[problem->buffers] == problem->segments);
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            buffer[s] = b;
}

enum status timeline_create(const struct problem *problem, struct timeline *timeline,
                            struct error *error)
{
    uint32_t count = problem->segments;
    uint64_t *key = NULL;
    enum status status;
    *timeline = (struct timeline){0};
    TRY_OR_DONE(status, memory_create(&timeline->by_lower, count, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&timeline->by_upper, count, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&timeline->buffer, count, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&key, count, sizeof *key, error));
    TRY_OR_DONE(status, sort_segments(problem->lower, count, key, timeline->by_lower, error));
    TRY_OR_DONE(status, sort_segments(problem->upper, count, key, timeline->by_upper, error));
    fill_owners(problem, timeline->buffer);
done:
    memory_free(key);
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

enum status timeline_count_pairs(const struct problem *problem, uint64_t *pairs,
                                 struct error *error)
{
    struct timeline timeline = {0};
    enum status status = timeline_create(problem, &timeline, error);
    uint32_t ended = 0;
    *pairs = 0;
    for (uint32_t i = 0; !status && i < problem->segments; i++) {
        while (problem->upper[timeline.by_upper[ended]] <= problem->lower[timeline.by_lower[i]])
            ended++;
        assert(ended <= i);
        *pairs += i - ended;
    }
    timeline_free(&timeline);
    return status;
}

enum status live_set_create(const struct problem *problem, struct live_set *live,
                            struct error *error)
{
    *live = (struct live_set){0};
    TRY(memory_create(&live->segment, problem->segments, sizeof(uint32_t), error));
    enum status status = memory_create(&live->position, problem->segments, sizeof(uint32_t), error);
    if (status)
        live_set_free(live);
    return status;
}

void live_set_free(struct live_set *live)
{
    memory_free(live->segment);
    memory_free(live->position);
    *live = (struct live_set){0};
}

void live_set_insert(struct live_set *live, uint32_t segment)
{
    assert(live->count == 0 || live->position[segment] >= live->count ||
           live->segment[live->position[segment]] != segment);
    live->position[segment] = live->count;
    live->segment[live->count++] = segment;
}

void live_set_remove(struct live_set *live, uint32_t segment)
{
    assert(live->count > 0 && live->segment[live->position[segment]] == segment);
    uint32_t moved = live->segment[--live->count];
    live->segment[live->position[segment]] = moved;
    live->position[moved] = live->position[segment];
}
