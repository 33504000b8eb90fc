#include "dma/planned/search.h"

#include <string.h>

#include "core/checked.h"
#include "core/clock.h"
#include "core/memory.h"

/* After so many earlier places that save nothing more an operator's start is left alone. */
enum { MOST_VAIN_PLACES = 6 };

struct search {
    const struct prefetch_region *region;
    const struct prefetch_goal *goal;
    uint32_t *start, *tried, *best; /* [count] */
    struct prefetch_cost cost, best_cost;
    bool found; /* best holds a schedule */
};

static bool is_better(const struct prefetch_cost *cost, const struct prefetch_cost *than)
{
    return cost->time_ns < than->time_ns ||
           (cost->time_ns == than->time_ns && cost->load_bytes < than->load_bytes);
}

static void copy(const struct search *search, uint32_t *to, const uint32_t *from)
{
    memcpy(to, from, search->region->count * sizeof *to);
}

static bool is_over(const struct search *search)
{
    const struct prefetch_goal *goal = search->goal;
    return (goal->walked_most && !*goal->walked_most) ||
           (goal->deadline_ns != UINT64_MAX && clock_monotonic_ns() >= goal->deadline_ns);
}

static struct prefetch_cost find_cost(const struct search *search, const uint32_t *start)
{
    uint64_t *left = search->goal->walked_most,
             walked = search->region->end - search->region->begin;
    if (left)
        *left -= walked < *left ? walked : *left;
    return prefetch_region_cost(search->region, start);
}

/* Into `tried`: start i at an operator, those before it no later. */
static struct prefetch_cost try_earlier(struct search *search, uint32_t i, uint32_t op)
{
    copy(search, search->tried, search->start);
    for (uint32_t k = i + 1; k-- > 0 && search->tried[k] > op;)
        search->tried[k] = op;
    return find_cost(search, search->tried);
}

/* Moves one start to the place that saves most, the latest of those. */
static bool move_earlier(struct search *search, uint32_t i)
{
    uint32_t from = search->start[i], best = from;
    struct prefetch_cost best_cost = search->cost;
    uint32_t vain = 0;
    for (uint32_t o = from;
         o > search->region->begin && vain < MOST_VAIN_PLACES && !is_over(search); vain++) {
        struct prefetch_cost cost = try_earlier(search, i, --o);
        if (cost.load_bytes > search->goal->capacity_bytes)
            break;
        if (cost.time_ns >= best_cost.time_ns)
            continue;
        best = o;
        best_cost = cost;
        vain = 0;
    }
    if (best == from)
        return false;
    search->cost = try_earlier(search, i, best);
    copy(search, search->start, search->tried);
    return true;
}

static bool move_all_earlier(struct search *search)
{
    bool moved = false;
    for (uint32_t i = 0; i < search->region->count && !is_over(search); i++)
        moved |= move_earlier(search, i);
    return moved;
}

/* As late as this saves no time to undo, by halving what is left. */
static void move_later(struct search *search, uint32_t i)
{
    const struct prefetch_region *region = search->region;
    uint32_t most = i + 1 < region->count && search->start[i + 1] < region->bearer[i]
                        ? search->start[i + 1]
                        : region->bearer[i];
    uint32_t good = search->start[i];
    while (good < most) {
        uint32_t middle = good + (most - good + 1) / 2;
        search->start[i] = middle;
        struct prefetch_cost cost = find_cost(search, search->start);
        if (cost.time_ns <= search->cost.time_ns) {
            search->cost = cost;
            good = middle;
        } else {
            most = middle - 1;
        }
    }
    search->start[i] = good;
}

static void move_all_later(struct search *search)
{
    for (uint32_t i = search->region->count; i-- > 0 && !is_over(search);)
        move_later(search, i);
}

static void keep_best(struct search *search)
{
    if (search->found && !is_better(&search->cost, &search->best_cost))
        return;
    search->found = true;
    search->best_cost = search->cost;
    copy(search, search->best, search->start);
}

/* From the schedule in `start`. */
static void descend(struct search *search)
{
    if (!prefetch_region_shrink(search->region, search->goal->capacity_bytes, search->start))
        return;
    search->cost = find_cost(search, search->start);
    keep_best(search);
    do
        move_all_later(search);
    while (move_all_earlier(search) && !is_over(search));
    move_all_later(search);
    keep_best(search);
}

static void descend_from_all(struct search *search)
{
    static void (*const begin[])(const struct prefetch_region *region, uint32_t *start) = {
        prefetch_region_late, prefetch_region_pingpong, prefetch_region_sync};
    descend(search);
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++) {
        begin[i](search->region, search->start);
        descend(search);
    }
}

/* Every schedule whose starts from i on are those of `start`. */
static void enumerate(struct search *search, uint32_t i)
{
    const struct prefetch_region *region = search->region;
    if (search->found && is_over(search))
        return;
    if (i == 0) {
        search->cost = find_cost(search, search->start);
        if (search->cost.load_bytes <= search->goal->capacity_bytes)
            keep_best(search);
        return;
    }
    uint32_t most = region->bearer[i - 1];
    if (i < region->count && search->start[i] < most)
        most = search->start[i];
    for (uint32_t o = most + 1; o-- > region->begin;) {
        search->start[i - 1] = o;
        enumerate(search, i - 1);
    }
}

static bool is_small(const struct prefetch_region *region, const struct prefetch_goal *goal)
{
    uint64_t schedules = 1, most = PREFETCH_MOST_SCHEDULES;
    if (goal->walked_most && *goal->walked_most / (region->end - region->begin + 1) < most)
        most = *goal->walked_most / (region->end - region->begin + 1);
    for (uint32_t i = 0; i < region->count; i++)
        if (!checked_multiply(schedules, (uint64_t)region->bearer[i] - region->begin + 1,
                              &schedules) ||
            schedules > most)
            return false;
    return true;
}

/* No schedule has a lower load than the one that starts each transfer when it is needed. */
static bool may_be_found(const struct search *search)
{
    prefetch_region_sync(search->region, search->tried);
    return find_cost(search, search->tried).load_bytes <= search->goal->capacity_bytes;
}

enum status prefetch_search(const struct prefetch_region *region, const struct prefetch_goal *goal,
                            uint32_t *start, struct prefetch_cost *cost, struct error *error)
{
    struct search search = {.region = region, .goal = goal, .start = start};
    enum status status;
    TRY_OR_DONE(status, memory_create(&search.tried, region->count, sizeof *search.tried, error));
    TRY_OR_DONE(status, memory_create(&search.best, region->count, sizeof *search.best, error));
    if (!may_be_found(&search))
        status = STATUS_NO;
    else if (is_small(region, goal))
        enumerate(&search, region->count);
    else
        descend_from_all(&search);
    if (search.found) {
        copy(&search, start, search.best);
        *cost = search.best_cost;
    }
done:
    memory_free(search.tried);
    memory_free(search.best);
    return status;
}
