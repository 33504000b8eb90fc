#include "heuristics/vela_order.h"

#include <stdlib.h>

#include "core/memory.h"
#include "planning/timeline.h"

/* The steps in which something starts: only there can the live bytes rise. */
struct starts {
    uint32_t count;
    uint32_t *step;       /* [count] ascending */
    uint64_t *live_bytes; /* [count] in that step */
};

static uint64_t get_size(const struct order_search *search, const struct timeline *timeline,
                         uint32_t segment)
{
    return search->evaluator->size[timeline->buffer[segment]];
}

static void sweep_starts(const struct order_search *search, const struct timeline *timeline,
                         struct starts *starts)
{
    const struct problem *problem = search->task->problem;
    uint64_t live = 0;
    for (uint32_t i = 0, ended = 0; i < problem->segments; i++) {
        uint32_t segment = timeline->by_lower[i], step = problem->lower[segment];
        for (; problem->upper[timeline->by_upper[ended]] <= step; ended++)
            live -= get_size(search, timeline, timeline->by_upper[ended]);
        live += get_size(search, timeline, segment);
        if (!starts->count || starts->step[starts->count - 1] != step)
            starts->step[starts->count++] = step;
        starts->live_bytes[starts->count - 1] = live;
    }
}

static uint32_t find_start(const struct starts *starts, uint32_t step)
{
    uint32_t low = 0, high = starts->count - 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (starts->step[middle] < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t find_urgency(const struct problem *problem, const struct starts *starts,
                             uint32_t buffer)
{
    uint64_t urgency = 0;
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        for (uint32_t k = find_start(starts, problem->lower[s]);
             k < starts->count && starts->step[k] < problem->upper[s]; k++)
            if (starts->live_bytes[k] > urgency)
                urgency = starts->live_bytes[k];
    return urgency;
}

struct keyed {
    uint64_t urgency, size;
    uint32_t span, start, buffer;
};

static int compare_keyed(const void *left, const void *right)
{
    const struct keyed *a = left, *b = right;
    if (a->urgency != b->urgency)
        return a->urgency > b->urgency ? -1 : 1;
    if (a->span != b->span)
        return a->span > b->span ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

static struct keyed get_keys(const struct order_search *search, const struct starts *starts,
                             uint32_t buffer)
{
    const struct problem *problem = search->task->problem;
    uint32_t start = problem_lower(problem, buffer);
    return (struct keyed){.urgency = find_urgency(problem, starts, buffer),
                          .size = search->evaluator->size[buffer],
                          .span = problem_upper(problem, buffer) - start,
                          .start = start,
                          .buffer = buffer};
}

static void sort_movables(struct order_search *search, const struct starts *starts,
                          struct keyed *keyed, uint64_t *load_bytes)
{
    uint32_t count = search->evaluator->movables;
    for (uint32_t i = 0; i < count; i++)
        keyed[i] = get_keys(search, starts, search->evaluator->movable[i]);
    qsort(keyed, count, sizeof *keyed, compare_keyed);
    for (uint32_t i = 0; i < count; i++)
        search->order[i] = keyed[i].buffer;
    *load_bytes = 0;
    for (uint32_t k = 0; k < starts->count; k++)
        if (starts->live_bytes[k] > *load_bytes)
            *load_bytes = starts->live_bytes[k];
}

enum status vela_order_fill(struct order_search *search, uint64_t *load_bytes, struct error *error)
{
    const struct problem *problem = search->task->problem;
    struct timeline timeline = {0};
    struct starts starts = {0};
    struct keyed *keyed = NULL;
    enum status status;
    TRY_OR_DONE(status, timeline_create(problem, &timeline, error));
    TRY_OR_DONE(status, memory_create(&starts.step, problem->segments, sizeof(uint32_t), error));
    TRY_OR_DONE(status,
                memory_create(&starts.live_bytes, problem->segments, sizeof(uint64_t), error));
    TRY_OR_DONE(status, memory_create(&keyed, problem->buffers, sizeof *keyed, error));
    sweep_starts(search, &timeline, &starts);
    sort_movables(search, &starts, keyed, load_bytes);
done:
    timeline_free(&timeline);
    memory_free(starts.step);
    memory_free(starts.live_bytes);
    memory_free(keyed);
    return status;
}
