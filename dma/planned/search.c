#include "dma/planned/search.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "core/clock.h"
#include "core/memory.h"

/* A start is not moved on once so many earlier places in a row have saved nothing more. */
enum { MOST_VAIN_PLACES = 6 };

struct search {
    const struct schedule_region *region;
    const struct schedule_goal *goal;
    uint32_t *start, *tried, *best;       /* [count] */
    struct schedule_cost cost, best_cost; /* of start and best */
    bool found;                           /* best holds a schedule */
};

bool schedule_goal_is_over(const struct schedule_goal *goal)
{
    return (goal->work_left && !*goal->work_left) || !clock_left_ns(goal->deadline_ns);
}

void schedule_goal_take(const struct schedule_goal *goal, uint64_t walked)
{
    if (goal->work_left)
        *goal->work_left -= walked < *goal->work_left ? walked : *goal->work_left;
}

static bool is_better(const struct schedule_cost *cost, const struct schedule_cost *than)
{
    return cost->time_ns < than->time_ns ||
           (cost->time_ns == than->time_ns && cost->load_bytes < than->load_bytes);
}

static void copy(const struct search *search, uint32_t *to, const uint32_t *from)
{
    memcpy(to, from, search->region->count * sizeof *to);
}

static struct schedule_cost find_cost(const struct search *search, const uint32_t *start)
{
    schedule_goal_take(search->goal, search->region->end - search->region->begin);
    return schedule_region_cost(search->region, start);
}

/* Puts into `tried` the schedule with start i at an operator and those before it no later. */
static struct schedule_cost try_earlier(struct search *search, uint32_t i, uint32_t op)
{
    copy(search, search->tried, search->start);
    for (uint32_t k = i + 1; k-- > 0 && search->tried[k] > op;)
        search->tried[k] = op;
    return find_cost(search, search->tried);
}

/* Moves one start to the place that saves most time, the latest of those. False if none saves any.
 */
static bool move_earlier(struct search *search, uint32_t i)
{
    uint32_t from = search->start[i], best = from;
    struct schedule_cost best_cost = search->cost;
    uint32_t vain = 0;
    for (uint32_t o = from; o > search->region->begin && vain < MOST_VAIN_PLACES &&
                            !schedule_goal_is_over(search->goal);
         vain++) {
        struct schedule_cost cost = try_earlier(search, i, --o);
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
    for (uint32_t i = 0; i < search->region->count && !schedule_goal_is_over(search->goal); i++)
        moved |= move_earlier(search, i);
    return moved;
}

/* Moves one start as late as that costs no time, by halving the operators in question. */
static void move_later(struct search *search, uint32_t i)
{
    const struct schedule_region *region = search->region;
    uint32_t most = i + 1 < region->count && search->start[i + 1] < region->weighted_op[i]
                        ? search->start[i + 1]
                        : region->weighted_op[i];
    uint32_t good = search->start[i];
    while (good < most) {
        uint32_t middle = good + (most - good + 1) / 2;
        search->start[i] = middle;
        struct schedule_cost cost = find_cost(search, search->start);
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
    for (uint32_t i = search->region->count; i-- > 0 && !schedule_goal_is_over(search->goal);)
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

/* Searches from the schedule in `start`. */
static void descend(struct search *search)
{
    if (!schedule_region_shrink(search->region, search->goal->capacity_bytes, search->start))
        return;
    search->cost = find_cost(search, search->start);
    keep_best(search);
    do
        move_all_later(search);
    while (move_all_earlier(search) && !schedule_goal_is_over(search->goal));
    move_all_later(search);
    keep_best(search);
}

static void descend_from_all(struct search *search)
{
    static void (*const begin[])(const struct schedule_region *region, uint32_t *start) = {
        schedule_region_late, schedule_region_pingpong, schedule_region_sync};
    descend(search);
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++) {
        begin[i](search->region, search->start);
        descend(search);
    }
}

/* Tries every schedule whose starts from number i on are those of `start`. */
static void enumerate(struct search *search, uint32_t i)
{
    const struct schedule_region *region = search->region;
    if (search->found && schedule_goal_is_over(search->goal))
        return;
    if (i == 0) {
        search->cost = find_cost(search, search->start);
        if (search->cost.load_bytes <= search->goal->capacity_bytes)
            keep_best(search);
        return;
    }
    uint32_t most = region->weighted_op[i - 1];
    if (i < region->count && search->start[i] < most)
        most = search->start[i];
    for (uint32_t o = most + 1; o-- > region->begin;) {
        search->start[i - 1] = o;
        assert(i == region->count || o <= search->start[i]);
        enumerate(search, i - 1);
    }
}

/* Whether there are few enough schedules to try them all. */
static bool is_small(const struct schedule_region *region, const struct schedule_goal *goal)
{
    uint64_t schedules = 1, most = SCHEDULE_SEARCH_MOST;
    if (goal->work_left && *goal->work_left / (region->end - region->begin + 1) < most)
        most = *goal->work_left / (region->end - region->begin + 1);
    for (uint32_t i = 0; i < region->count; i++)
        if (!checked_multiply(schedules, (uint64_t)region->weighted_op[i] - region->begin + 1,
                              &schedules) ||
            schedules > most)
            return false;
    return true;
}

/* Whether any schedule is within the capacity: none has a lower load than the one that starts each
   transfer when it is needed. */
static bool may_be_found(const struct search *search)
{
    schedule_region_sync(search->region, search->tried);
    return find_cost(search, search->tried).load_bytes <= search->goal->capacity_bytes;
}

enum status schedule_search(const struct schedule_region *region, const struct schedule_goal *goal,
                            uint32_t *start, struct schedule_cost *cost, struct error *error)
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
