#include "heuristics/objects_by_distance.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "heuristics/ordered.h"
#include "heuristics/pools.h"

enum { FAR = UINT32_MAX };

/* What is known of a buffer that has no object yet. */
struct waiting {
    uint64_t size;
    uint32_t buffer, lower, upper;
    uint32_t position; /* in the positional maxima */
    uint32_t distance; /* to the nearest buffer of an object that it fits; FAR without */
    uint32_t object;   /* that one */
};

struct distances {
    struct pools pools;
    struct ordered members; /* all placed buffers by object and first step */
    struct waiting *waiting;
    uint32_t count;
};

/* The sizes of what is live, largest first, and their elementwise maximum over all steps. */
struct maxima {
    uint64_t *live, *most;
    uint32_t count, length;
};

static uint32_t find_size(const struct maxima *maxima, uint64_t size)
{
    uint32_t low = 0, high = maxima->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (maxima->live[middle] > size)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert_size(struct maxima *maxima, uint64_t size)
{
    uint32_t at = find_size(maxima, size);
    memmove(&maxima->live[at + 1], &maxima->live[at], (maxima->count - at) * sizeof *maxima->live);
    maxima->live[at] = size;
    maxima->count++;
    if (maxima->length < maxima->count)
        maxima->length = maxima->count;
    for (uint32_t i = at; i < maxima->count; i++)
        if (maxima->most[i] < maxima->live[i])
            maxima->most[i] = maxima->live[i];
}

static void remove_size(struct maxima *maxima, uint64_t size)
{
    uint32_t at = find_size(maxima, size);
    maxima->count--;
    memmove(&maxima->live[at], &maxima->live[at + 1], (maxima->count - at) * sizeof *maxima->live);
}

static int compare_uppers(const void *left, const void *right)
{
    const struct waiting *a = left, *b = right;
    return a->upper < b->upper ? -1 : a->upper > b->upper;
}

static int compare_lowers(const void *left, const void *right)
{
    const struct waiting *a = left, *b = right;
    return a->lower < b->lower ? -1 : a->lower > b->lower;
}

static int compare_buffers(const void *left, const void *right)
{
    const struct waiting *a = left, *b = right;
    return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

/* Adding what begins at a step one after another only makes parts of what is live there. */
static enum status sweep_maxima(struct distances *distances, struct maxima *maxima,
                                struct error *error)
{
    struct waiting *ending;
    uint32_t ended = 0;
    TRY(memory_create(&ending, distances->count, sizeof *ending, error));
    memcpy(ending, distances->waiting, distances->count * sizeof *ending);
    qsort(ending, distances->count, sizeof *ending, compare_uppers);
    qsort(distances->waiting, distances->count, sizeof *ending, compare_lowers);
    for (uint32_t i = 0; i < distances->count; i++) {
        for (; ending[ended].upper <= distances->waiting[i].lower; ended++)
            remove_size(maxima, ending[ended].size);
        insert_size(maxima, distances->waiting[i].size);
    }
    qsort(distances->waiting, distances->count, sizeof *ending, compare_buffers);
    memory_free(ending);
    return STATUS_OK;
}

static uint32_t find_position(const struct maxima *maxima, uint64_t size)
{
    uint32_t low = 0, high = maxima->length;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (maxima->most[middle] >= size)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static enum status find_positions(struct distances *distances, struct error *error)
{
    struct maxima maxima = {0};
    enum status status;
    TRY_OR_DONE(status, memory_create(&maxima.live, distances->count, sizeof(uint64_t), error));
    TRY_OR_DONE(status, memory_create(&maxima.most, distances->count, sizeof(uint64_t), error));
    TRY_OR_DONE(status, sweep_maxima(distances, &maxima, error));
    for (uint32_t i = 0; i < distances->count; i++)
        distances->waiting[i].position = find_position(&maxima, distances->waiting[i].size);
done:
    memory_free(maxima.live);
    memory_free(maxima.most);
    return status;
}

static bool comes_before(const struct waiting *a, const struct waiting *b)
{
    if (a->position != b->position)
        return a->position < b->position;
    return a->distance != b->distance ? a->distance < b->distance : a->size > b->size;
}

static uint32_t choose_next(const struct distances *distances)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < distances->count; i++)
        if (comes_before(&distances->waiting[i], &distances->waiting[best]))
            best = i;
    return best;
}

/* Steps from the end of one life to the first of the other, FAR where both are live at once. */
static uint32_t measure_gap(uint32_t lower, uint32_t upper, uint32_t other_lower,
                            uint32_t other_upper)
{
    if (upper <= other_lower)
        return other_lower - upper;
    return other_upper <= lower ? lower - other_upper : FAR;
}

/* The buffers of an object are apart, so that only the neighbours in time count. */
static uint32_t measure_object(const struct distances *distances, uint32_t object,
                               const struct waiting *waiting)
{
    const struct problem *problem = distances->pools.problem;
    const struct ordered *members = &distances->members;
    uint32_t before = ordered_below(members, (struct ordered_key){object, waiting->upper, 0});
    uint32_t after = ordered_at_least(members, (struct ordered_key){object, waiting->upper, 0});
    uint32_t nearest = FAR;
    if (before != ORDERED_NONE && members->node[before].key.group == object) {
        uint32_t upper = problem_upper(problem, before);
        if (upper > waiting->lower)
            return FAR;
        nearest = waiting->lower - upper;
    }
    if (after != ORDERED_NONE && members->node[after].key.group == object) {
        uint32_t gap = problem_lower(problem, after) - waiting->upper;
        nearest = gap < nearest ? gap : nearest;
    }
    return nearest;
}

static void find_nearest(const struct distances *distances, struct waiting *waiting)
{
    waiting->distance = FAR;
    for (uint32_t o = 0; o < distances->pools.objects; o++) {
        uint32_t distance = measure_object(distances, o, waiting);
        if (distance < waiting->distance) {
            waiting->distance = distance;
            waiting->object = o;
        }
    }
}

static void update_distance(const struct distances *distances, struct waiting *waiting,
                            uint32_t object, const struct waiting *placed)
{
    uint32_t gap = measure_gap(waiting->lower, waiting->upper, placed->lower, placed->upper);
    if (gap == FAR) {
        if (waiting->distance != FAR && waiting->object == object)
            find_nearest(distances, waiting);
    } else if (gap < waiting->distance && measure_object(distances, object, waiting) != FAR) {
        waiting->distance = gap;
        waiting->object = object;
    }
}

static void place_next(struct distances *distances)
{
    uint32_t next = choose_next(distances);
    const struct waiting placed = distances->waiting[next];
    uint32_t object = placed.object;
    if (placed.distance == FAR)
        object = pools_add(&distances->pools, 0);
    pools_join(&distances->pools, object, placed.buffer, placed.size);
    ordered_add(&distances->members, placed.buffer,
                (struct ordered_key){object, placed.lower, placed.buffer});
    distances->count--;
    memmove(&distances->waiting[next], &distances->waiting[next + 1],
            (distances->count - next) * sizeof placed);
    for (uint32_t i = 0; i < distances->count; i++)
        update_distance(distances, &distances->waiting[i], object, &placed);
}

static enum status fill_waiting(struct distances *distances, struct error *error)
{
    const struct problem *problem = distances->pools.problem;
    TRY(memory_create(&distances->waiting, problem->buffers, sizeof(struct waiting), error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem->fixed_offset[b] == PROBLEM_FREE)
            distances->waiting[distances->count++] =
                (struct waiting){.size = problem->size[b],
                                 .buffer = b,
                                 .lower = problem_lower(problem, b),
                                 .upper = problem_upper(problem, b),
                                 .distance = FAR};
    return find_positions(distances, error);
}

static enum status place_all(struct distances *distances, const struct planner_task *task,
                             struct plan *plan, struct error *error)
{
    uint64_t began_ns = clock_monotonic_ns();
    while (distances->count) {
        if (clock_monotonic_ns() - began_ns > task->time_limit_ns) {
            plan->status = PLAN_TIMEOUT;
            return STATUS_OK;
        }
        place_next(distances);
    }
    return pools_lay_out(&distances->pools, 1, plan, error);
}

enum status objects_by_distance_plan(const struct planner *planner, const struct planner_task *task,
                                     struct plan *plan, struct error *error)
{
    struct distances distances = {0};
    enum status status;
    (void)planner;
    TRY(pools_create(&distances.pools, task->problem, error));
    TRY_OR_DONE(status, ordered_create(&distances.members, task->problem->buffers, error));
    TRY_OR_DONE(status, fill_waiting(&distances, error));
    TRY_OR_DONE(status, place_all(&distances, task, plan, error));
done:
    memory_free(distances.waiting);
    ordered_free(&distances.members);
    pools_free(&distances.pools);
    return status;
}
