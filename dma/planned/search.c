#include "dma/planned/search.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "core/clock.h"

/* A start is not moved back further once this number of places in a row has brought no gain. */
enum { MOST_VAIN_PLACES = 6 };
/* Pairs of starts are moved only where trying all pairs of places walks over at most this number of
   operators. */
enum { PAIRS_WALKED = 400000 };

struct search {
    const struct schedule_region *region;
    const struct schedule_goal *goal;
    uint32_t *start, *tried, *best, *ring; /* [count] */
    struct schedule_cost cost, best_cost;  /* of start and best */
    bool found;                            /* whether `best` holds a schedule */
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

/* The cost of a schedule; UINT64_MAX for both time and load where transfers have to start in the
   order of need and do not. */
static struct schedule_cost find_cost(const struct search *search, const uint32_t *start)
{
    const struct schedule_region *region = search->region;
    for (uint32_t i = 1; search->goal->in_order && i < region->count; i++)
        if (start[i] < start[i - 1])
            return (struct schedule_cost){UINT64_MAX, UINT64_MAX};
    schedule_goal_take(search->goal, region->end - region->begin);
    return schedule_region_cost(region, start);
}

/* Ways to move start i to an earlier operator. MOVE_ALONE leaves all other starts as they are;
   MOVE_WITH_OTHERS also moves the starts of earlier weights, so that none is behind it;
   MOVE_IN_EXCHANGE moves other starts later where the load would exceed the capacity. */
enum move { MOVE_ALONE, MOVE_WITH_OTHERS, MOVE_IN_EXCHANGE, MOVES };

/* Writes the schedule after a move to `tried` and returns its cost, UINT64_MAX where the move is
   impossible. */
static struct schedule_cost try_earlier(struct search *search, enum move move, uint32_t i,
                                        uint32_t op)
{
    copy(search, search->tried, search->start);
    search->tried[i] = op;
    for (uint32_t k = 0; move == MOVE_WITH_OTHERS && k < i; k++)
        if (search->tried[k] > op)
            search->tried[k] = op;
    if (move == MOVE_IN_EXCHANGE &&
        !schedule_region_shrink(search->region, search->goal->capacity_bytes, i, search->tried))
        return (struct schedule_cost){UINT64_MAX, UINT64_MAX};
    return find_cost(search, search->tried);
}

/* Moves one start to the place that saves most time, and to the latest of these places. False if
   none saves any. */
static bool move_earlier(struct search *search, enum move move, uint32_t i)
{
    uint32_t from = search->start[i], best = from;
    struct schedule_cost best_cost = search->cost;
    uint32_t vain = 0;
    for (uint32_t o = from; o > search->region->begin && vain < MOST_VAIN_PLACES &&
                            !schedule_goal_is_over(search->goal);
         vain++) {
        struct schedule_cost cost = try_earlier(search, move, i, --o);
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
    search->cost = try_earlier(search, move, i, best);
    copy(search, search->start, search->tried);
    return true;
}

/* Moves each start to the latest place, found by bisection, that does not make the region
   slower. */
static void move_all_later(struct search *search)
{
    for (uint32_t i = search->region->count; i-- > 0 && !schedule_goal_is_over(search->goal);) {
        uint32_t most = search->region->weighted_op[i], good = search->start[i];
        assert(good >= search->region->begin && good <= most);
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
}

/* Moves two starts if that makes the region faster and stays within the capacity. */
static bool move_pair(struct search *search, uint32_t i, uint32_t k)
{
    const struct schedule_region *region = search->region;
    uint32_t *tried = search->tried;
    for (uint32_t a = region->weighted_op[i] + 1; a-- > region->begin;)
        for (uint32_t b = region->weighted_op[k] + 1; b-- > region->begin;) {
            if (schedule_goal_is_over(search->goal))
                return false;
            copy(search, tried, search->start);
            tried[i] = a;
            tried[k] = b;
            struct schedule_cost cost = find_cost(search, tried);
            if (cost.load_bytes > search->goal->capacity_bytes ||
                cost.time_ns >= search->cost.time_ns)
                continue;
            search->cost = cost;
            copy(search, search->start, tried);
            return true;
        }
    return false;
}

/* Moves pairs where there are so few pairs of places that all of them may be tried. */
static bool move_pairs(struct search *search)
{
    const struct schedule_region *region = search->region;
    uint64_t places = 0;
    bool moved = false;
    for (uint32_t i = 0; i < region->count; i++)
        places += (uint64_t)region->weighted_op[i] - region->begin + 1;
    if (places >= PAIRS_WALKED ||
        places * places / 2 * (region->end - region->begin) >= PAIRS_WALKED)
        return false;
    for (uint32_t i = 0; i < region->count; i++)
        for (uint32_t k = i + 1; k < region->count; k++)
            moved |= move_pair(search, i, k);
    return moved;
}

static void keep_best(struct search *search)
{
    if (search->found && !is_better(&search->cost, &search->best_cost))
        return;
    search->found = true;
    search->best_cost = search->cost;
    copy(search, search->best, search->start);
}

/* Improves the schedule in `start` until no move saves time, and keeps it if it is the best. */
static void descend(struct search *search)
{
    const struct schedule_region *region = search->region;
    if (!schedule_region_shrink(region, search->goal->capacity_bytes, UINT32_MAX, search->start))
        return;
    search->cost = find_cost(search, search->start);
    keep_best(search);
    for (bool moved = true; moved;) {
        move_all_later(search);
        moved = false;
        if (schedule_goal_is_over(search->goal))
            break;
        for (enum move move = 0; move < MOVES && !moved; move++)
            for (uint32_t i = 0; i < region->count && !schedule_goal_is_over(search->goal); i++)
                moved |= move_earlier(search, move, i);
        moved = moved || move_pairs(search);
    }
    move_all_later(search);
    keep_best(search);
}

/* Searches from the fastest schedule of mode ring within the capacity first, that with one buffer
   if none is, so that the result is at least as fast even if a limit ends the search early. Then it
   searches from the caller's schedule, from the late one, and from those of pingpong and sync. */
static void descend_from_all(struct search *search)
{
    enum { SYNC = 1, PINGPONG = 2 };
    const struct schedule_region *region = search->region;
    struct schedule_cost best_cost = {UINT64_MAX, UINT64_MAX};
    uint32_t best = 1, *start = search->start;
    for (uint32_t k = 1; k <= region->count + 1 && !schedule_goal_is_over(search->goal); k++) {
        schedule_region_ring(region, k, search->tried);
        struct schedule_cost cost = find_cost(search, search->tried);
        if (cost.load_bytes > search->goal->capacity_bytes || !is_better(&cost, &best_cost))
            continue;
        best = k;
        best_cost = cost;
    }
    search->start = search->ring;
    schedule_region_ring(region, best, search->start);
    descend(search);
    search->start = start;
    descend(search);
    schedule_region_late(region, search->start);
    descend(search);
    for (uint32_t k = PINGPONG; k >= SYNC; k--) {
        schedule_region_ring(region, k, search->start);
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
        if (search->cost.load_bytes <= search->goal->capacity_bytes &&
            search->cost.time_ns != UINT64_MAX)
            keep_best(search);
        return;
    }
    for (uint32_t o = region->weighted_op[i - 1] + 1; o-- > region->begin;) {
        search->start[i - 1] = o;
        enumerate(search, i - 1);
    }
}

enum status schedule_search(const struct schedule_region *region, const struct schedule_goal *goal,
                            uint32_t *start, struct schedule_cost *cost, struct error *error)
{
    struct search search = {.region = region, .goal = goal, .start = start};
    SCOPED(scratch_free) struct scratch scratch = {0};
    TRY(scratch_take_all(&scratch, region->count, error, &search.tried, &search.best,
                         &search.ring));

    /* None has a lower load than the schedule that starts each transfer when it is needed. */
    schedule_region_ring(region, 1, search.tried);
    if (find_cost(&search, search.tried).load_bytes > goal->capacity_bytes)
        return STATUS_NO;

    /* Where there are few enough schedules, all are tried. */
    uint64_t schedules = 1, most = SCHEDULE_SEARCH_MOST;
    if (goal->work_left && *goal->work_left / (region->end - region->begin + 1) < most)
        most = *goal->work_left / (region->end - region->begin + 1);
    bool is_small = true;
    for (uint32_t i = 0; is_small && i < region->count; i++)
        is_small = checked_multiply(schedules, (uint64_t)region->weighted_op[i] - region->begin + 1,
                                    &schedules) &&
                   schedules <= most;
    if (is_small)
        enumerate(&search, region->count);
    else
        descend_from_all(&search);
    if (search.found) {
        assert(search.best_cost.load_bytes <= goal->capacity_bytes);
        copy(&search, start, search.best);
        *cost = search.best_cost;
    }
    return STATUS_OK;
}
