#include "dma/planned/front.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "dma/planned/all.h"
#include "dma/planned/early.h"
#include "dma/planned/keep.h"
#include "dma/planned/schedule_problem.h"
#include "dma/planned/schedule_program.h"
#include "dma/planned/search.h"
#include "planning/problem/bounds.h"
#include "planning/verify/describe.h"
#include "planning/verify/problem/plan.h"

/* About how many capacities are tried for the variants of each schedule with early operators, and
   for those with kept weights. */
enum { MOST_MORE = 16 };
/* With n points wanted, each capacity is lower than the one before by 1 / (1 + n / STEP_PART) of
   what is left above the least possible load. */
enum { STEP_PART = 10 };

struct planner_state {
    const struct planned_task *task;
    struct planned_front *front;
    uint64_t deadline_ns;
    uint64_t place_ns; /* the longest time that timing and placing a point has taken so far */
    uint32_t *start;   /* [places] the schedule at hand, without early operators and kept weights */
    /* [regions] time and load of each region under the schedule at hand */
    struct schedule_cost *cost;
    uint32_t *early; /* [places] the schedule at hand with early operators */
    uint32_t *kept;  /* [places] the schedule at hand with kept weights */
    struct schedule_walk walk;
    bool in_order; /* transfers must start in the order in which their weights are needed */
    bool tight;    /* the peak of every plan so far is its load, so that no plan could be better */
    struct error *error;
};

/* The time when searching has to end so that two more plans can be made before the deadline: that
   of the schedule at hand, and that of a schedule for the capacity that was asked for. */
static uint64_t get_search_deadline(const struct planner_state *state)
{
    uint64_t plans_ns = 2 * state->place_ns;
    if (state->deadline_ns == UINT64_MAX)
        return UINT64_MAX;
    return plans_ns < state->deadline_ns ? state->deadline_ns - plans_ns : 0;
}

static bool is_over(const struct planner_state *state)
{
    return !clock_left_ns(get_search_deadline(state));
}

static struct schedule_goal get_goal(const struct planner_state *state, uint64_t capacity_bytes)
{
    return (struct schedule_goal){capacity_bytes, get_search_deadline(state), NULL,
                                  state->in_order};
}

/* Searches all regions, or only those whose load is above the capacity: the others are still as
   fast as they were under the larger capacity before. Regions without weights are searched too,
   since their load counts although no schedule changes it. STATUS_NO where a region needs more than
   the capacity. */
static enum status search_regions(struct planner_state *state, uint64_t capacity_bytes, bool all)
{
    for (uint32_t r = 0; r < state->task->regions->count; r++) {
        if (!all && state->cost[r].load_bytes <= capacity_bytes)
            continue;
        struct schedule_region region = schedule_region_at(state->front->space, r, &state->walk);
        const struct schedule_goal goal = get_goal(state, capacity_bytes);
        uint32_t first = state->task->regions->region[r].weighted.first;
        TRY(schedule_search(&region, &goal, state->start + first, &state->cost[r], state->error));
    }
    return STATUS_OK;
}

static enum status check_plan(const struct problem *problem, const struct plan *plan,
                              struct error *error)
{
    struct verdict verdict;
    char text[512];
    if (!plan_found(plan))
        return error_set(error, STATUS_NO, "no plan for tensors and weights: %s",
                         plan_status_name(plan->status));
    if (plan->extents)
        return error_set(error, STATUS_USAGE,
                         "the planner splits buffers, expected one that does not");
    TRY(verify_plan(problem, plan, &verdict, error));
    if (verdict.fault == VERIFY_VALID)
        return STATUS_OK;
    verify_describe(problem, plan, &verdict, text, sizeof text);
    return error_set(error, STATUS_NO, "%s", text);
}

static enum status place_point(const struct planner_state *state, struct planned_point *point)
{
    const struct planned_task *task = state->task;
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    TRY(schedule_problem(state->front->space, point->start, &problem, state->error));
    TRY(problem_load(problem, &point->load_bytes, NULL, state->error));
    TRY(plan_create(problem, &plan, state->error));
    TRY(task->place(task->context, problem, plan, state->error));
    TRY(check_plan(problem, plan, state->error));
    TRY(memory_create(&point->offset, plan->buffers, sizeof *point->offset, state->error));
    memcpy(point->offset, plan->offset, plan->buffers * sizeof *point->offset);
    point->on_chip_bytes = plan->measures.peak_bytes;
    return STATUS_OK;
}

static void clear_point(struct planned_point *point)
{
    memory_free_all(point->start, point->offset);
    *point = (struct planned_point){0};
}

static bool is_beaten(const struct planned_point *point, const struct planned_point *by)
{
    return by->times.expected_ns <= point->times.expected_ns &&
           by->on_chip_bytes <= point->on_chip_bytes;
}

/* Inserts a point into the front, which stays sorted by time and without points that others beat,
   and takes what it holds. The point may belong anywhere: later schedules have a lower load, but
   the planner may still give them a higher peak, and their time may be shorter. */
static void insert_point(struct planned_front *front, struct planned_point *added)
{
    uint32_t kept = 0, place = 0;
    for (uint32_t i = 0; i < front->count; i++)
        if (is_beaten(added, &front->point[i]))
            return;
    for (uint32_t i = 0; i < front->count; i++) {
        if (is_beaten(&front->point[i], added))
            clear_point(&front->point[i]);
        else
            front->point[kept++] = front->point[i];
    }
    assert(kept < front->capacity);
    while (place < kept && front->point[place].times.expected_ns < added->times.expected_ns)
        place++;
    memmove(front->point + place + 1, front->point + place, (kept - place) * sizeof *front->point);
    front->point[place] = *added;
    front->count = kept + 1;
    *added = (struct planned_point){0};
}

/* Times and places a schedule, unless the front has it. */
static enum status add_point(struct planner_state *state, const uint32_t *start)
{
    struct planned_front *front = state->front;
    uint32_t places = front->space->places;
    for (uint32_t i = 0; i < front->count; i++)
        if (memcmp(front->point[i].start, start, places * sizeof *start) == 0)
            return STATUS_OK;
    uint64_t began_ns = clock_monotonic_ns();
    SCOPED(clear_point) struct planned_point point = {0};
    SCOPED(schedule_run_clear) struct schedule_run run = {0};
    TRY(memory_reserve(&front->point, &front->capacity, front->count + (size_t)1,
                       sizeof *front->point, state->error));
    TRY(memory_create(&point.start, places, sizeof *point.start, state->error));
    memcpy(point.start, start, places * sizeof *point.start);
    TRY(schedule_run_fill(front->space, point.start, &run, &point.times, state->error));
    schedule_run_clear(&run);
    TRY(place_point(state, &point));
    state->tight &= point.on_chip_bytes == point.load_bytes;
    front->tried++;
    insert_point(front, &point);
    uint64_t took_ns = clock_monotonic_ns() - began_ns;
    state->place_ns = took_ns > state->place_ns ? took_ns : state->place_ns;
    return STATUS_OK;
}

/* Makes operators of a schedule, that at hand or the one with kept weights, early and adds the
   result if that saves time. *load_bytes is then its load, else 0. */
static enum status add_early_to(struct planner_state *state, const uint32_t *start,
                                uint64_t capacity_bytes, uint64_t *load_bytes)
{
    const struct schedule_space *space = state->front->space;
    const struct schedule_goal goal = get_goal(state, capacity_bytes);
    bool early;
    *load_bytes = 0;
    memcpy(state->early, start, space->places * sizeof *start);
    TRY(schedule_start_early(space, &goal, state->early, &early, state->error));
    if (!early)
        return STATUS_OK;
    TRY(schedule_load(space, state->early, load_bytes, state->error));
    return add_point(state, state->early);
}

static enum status add_early(struct planner_state *state, uint64_t capacity_bytes,
                             uint64_t *load_bytes)
{
    return add_early_to(state, state->start, capacity_bytes, load_bytes);
}

/* Adds the schedule at hand with kept weights if they save time, and then a variant of that one
   with early operators too. *load_bytes is the load with kept weights, 0 where none are kept. */
static enum status add_kept(struct planner_state *state, uint64_t capacity_bytes,
                            uint64_t *load_bytes)
{
    const struct schedule_space *space = state->front->space;
    const struct schedule_goal goal = get_goal(state, capacity_bytes);
    uint64_t early_bytes;
    bool kept;
    *load_bytes = 0;
    memcpy(state->kept, state->start, space->places * sizeof *state->start);
    TRY(schedule_keep(space, &goal, state->kept, &kept, state->error));
    if (!kept)
        return STATUS_OK;
    TRY(schedule_load(space, state->kept, load_bytes, state->error));
    TRY(add_point(state, state->kept));
    return add_early_to(state, state->kept, capacity_bytes, &early_bytes);
}

/* Early operators and kept weights need more memory than the schedule at hand. So `add` is called
   for several capacities, from the load of its first result down to the load of the schedule at
   hand. The points without them stay in the front, so that it never becomes worse. */
static enum status add_more(struct planner_state *state, uint64_t capacity_bytes,
                            enum status (*add)(struct planner_state *, uint64_t, uint64_t *))
{
    uint64_t own_bytes, load_bytes, step_bytes = 0;
    TRY(schedule_load(state->front->space, state->start, &own_bytes, state->error));
    while (!is_over(state)) {
        TRY(add(state, capacity_bytes, &load_bytes));
        if (load_bytes <= own_bytes)
            break;
        if (!step_bytes)
            step_bytes = 1 + (load_bytes - own_bytes) / MOST_MORE;
        capacity_bytes = load_bytes - own_bytes > step_bytes ? load_bytes - step_bytes : own_bytes;
    }
    return STATUS_OK;
}

/* The next capacity to try, below the load of the schedule at hand. The steps become shorter
   towards the least load. The capacity that was asked for and the least load are never skipped.
   UINT64_MAX where nothing is left to try. */
static uint64_t find_next_capacity(const struct planner_state *state, uint64_t least_bytes,
                                   bool over)
{
    uint64_t load_bytes = 0, wanted_bytes = state->task->capacity_bytes;
    for (uint32_t r = 0; r < state->task->regions->count; r++)
        if (state->cost[r].load_bytes > load_bytes)
            load_bytes = state->cost[r].load_bytes;
    uint64_t room_bytes = load_bytes > least_bytes ? load_bytes - least_bytes : 0;
    uint64_t step_bytes = 1 + room_bytes / (1 + state->task->most_points / STEP_PART);
    uint64_t next_bytes = room_bytes && !over ? load_bytes - step_bytes : least_bytes;
    if (next_bytes < wanted_bytes && wanted_bytes < load_bytes)
        return wanted_bytes;
    return !room_bytes || over ? UINT64_MAX : next_bytes;
}

/* Tries one capacity after another, each below the load of the schedule that was found for the one
   before. The schedule with the least load, which starts each transfer only when its weights are
   needed, is placed first, which shows how long a plan takes. Once the time is over only the
   capacity that was asked for is still tried. */
static enum status walk_capacities(struct planner_state *state)
{
    uint64_t capacity_bytes = UINT64_MAX, least_bytes = 0;
    bool over = false;
    for (uint32_t r = 0; r < state->task->regions->count; r++) {
        struct schedule_region region = schedule_region_at(state->front->space, r, &state->walk);
        uint64_t load_bytes = schedule_region_cost(&region, region.weighted_op).load_bytes;
        least_bytes = load_bytes > least_bytes ? load_bytes : least_bytes;
    }
    schedule_sync(state->front->space, state->start);
    TRY(add_point(state, state->start));
    do {
        enum status status = search_regions(state, capacity_bytes, capacity_bytes == UINT64_MAX);
        if (status == STATUS_NO)
            break;
        TRY(status);
        TRY(add_point(state, state->start));
        TRY(add_more(state, capacity_bytes, add_early));
        if (!state->in_order)
            TRY(add_more(state, capacity_bytes, add_kept));
        over = is_over(state);
        uint64_t next_bytes = find_next_capacity(state, least_bytes, over);
        assert(next_bytes == UINT64_MAX || next_bytes < capacity_bytes);
        capacity_bytes = next_bytes;
    } while (capacity_bytes != UINT64_MAX);
    state->front->cut_short |= over;
    return STATUS_OK;
}

/* Adds the best of all schedules of a small graph. Where the peak of each is its load, no other
   schedule has a lower peak. Otherwise the other searches still follow, since a schedule with a
   higher load may get a lower peak from the planner. */
static enum status add_all(struct planner_state *state)
{
    struct planned_front *front = state->front;
    SCOPED(schedule_candidates_clear) struct schedule_candidates candidates = {0};
    state->tight = true;
    TRY(schedule_all_try(front->space, get_search_deadline(state), &candidates, state->error));
    for (uint32_t i = 0; i < candidates.count; i++)
        TRY(add_point(state, candidates.candidate[i].start));
    front->complete = candidates.complete && state->tight && !schedule_may_keep(front->space);
    return STATUS_OK;
}

static void clear_state(struct planner_state *state)
{
    planned_front_free(state->front);
    memory_free_all(state->start, state->cost, state->early, state->kept);
    schedule_walk_clear(&state->walk);
}

enum status planned_front_create(const struct planned_task *task, struct planned_front **created,
                                 struct error *error)
{
    const struct transfer_regions *regions = task->regions;
    SCOPED(clear_state)
    struct planner_state state = {
        .task = task, .deadline_ns = clock_deadline_ns(task->time_limit_ns), .error = error};
    assert(task->alignment_bytes > 0 && task->most_points > 0);
    TRY(memory_create(&state.front, 1, sizeof *state.front, error));
    TRY(schedule_space_create(regions, task->costs, task->alignment_bytes, &state.front->space,
                              error));
    struct schedule_space *space = state.front->space;
    TRY(memory_create_all(space->places, error, &state.start, &state.early, &state.kept));
    TRY(memory_create(&state.cost, regions->count, sizeof *state.cost, error));
    TRY(schedule_walk_create(space, &state.walk, error));
    if (task->guess)
        TRY(schedule_guess(space, task->guess, error));
    if (!task->in_order && schedule_all_are_few(space))
        TRY(add_all(&state));

    /* Transfers in the order of need come first, which leaves the schedule closer to the one
       without any search and often gives better plans; then any order, unless the task forbids
       it. */
    state.in_order = true;
    TRY(walk_capacities(&state));
    state.in_order = false;
    if (!task->in_order)
        TRY(walk_capacities(&state));
    HAND_OVER(state.front, created);
}

void planned_front_free(struct planned_front *front)
{
    if (!front)
        return;
    for (uint32_t i = 0; i < front->count; i++)
        clear_point(&front->point[i]);
    memory_free(front->point);
    schedule_space_free(front->space);
    memory_free(front);
}

const struct planned_point *planned_front_pick(const struct planned_front *front,
                                               uint64_t capacity_bytes)
{
    for (uint32_t i = 0; i < front->count; i++)
        if (front->point[i].on_chip_bytes <= capacity_bytes)
            return &front->point[i];
    return NULL;
}
