/* The planner `window_search`, for large problems. Where many buffers come and go, the live bytes
   are near their greatest sum in few short windows of steps only, and these decide the peak. So the
   buffers that are live in such hot windows come first: together they are a small problem, which
   the exact search solves below a capacity, the lower bound at first. All others are then filled in
   around them by first fit, what does not fit drives others out (eject.h), and where that gets
   nowhere, windows that are a little less hot join the problem, with all that did not fit. Where a
   capacity is beyond reach the next one lies higher; later cycles try again below the best plan
   with more effort. */

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/sort.h"
#include "planning/problem/bounds.h"
#include "solvers/common/components.h"
#include "solvers/exact/incumbent.h"
#include "solvers/exact/quick_plans.h"
#include "solvers/window/eject.h"
#include "solvers/window/fill.h"
#include "solvers/window/hot.h"

static const struct planner_option options[] = {
    {"share", "windows are hot at first from so many percent of the capacity on", 96, 1, 100},
    {"step", "by so many percent less with each turn", 2, 1, 100},
    {"turns", "at a capacity in the first cycle; two more in each later one", 4, 1, 100},
    {"cycles", "of more and more effort, where no time limit ends them", 6, 1, 62},
    {NULL, NULL, 0, 0, 0},
};

enum { SHARE, STEP, TURNS, CYCLES };

/* Segments that ejection looks at in a turn of the first cycle, for each segment there is. */
enum { LOOKS = 100 };

enum { BY_SIZE, BY_AREA, ORDERS };

struct window_search {
    const struct planner *planner;
    const struct planner_task *task;
    const struct problem *problem;
    struct exact_incumbent incumbent;
    struct draft *draft;
    struct hot *hot;
    struct eject *eject;
    struct occupancy *occupancy;
    uint32_t *sorted[ORDERS]; /* [buffers] each */
    struct plan *trial;
    uint64_t deadline_ns;
    uint32_t cycle;
    struct error *error;
};

static bool is_over(const struct window_search *search)
{
    return exact_incumbent_is_solved(&search->incumbent) || !clock_left_ns(search->deadline_ns);
}

static uint64_t get_bound_bytes(const struct window_search *search)
{
    return search->incumbent.plan->measures.lower_bound_bytes;
}

static uint64_t get_size(const void *context, uint32_t buffer)
{
    const struct draft *draft = context;
    return draft->problem->size[buffer];
}

static uint64_t get_area(const void *context, uint32_t buffer)
{
    const struct draft *draft = context;
    return draft->area[buffer];
}

static enum status create_search(struct window_search *search)
{
    const struct problem *problem = search->problem;
    const struct sort_key size[SORT_MOST_KEYS] = {{get_size, true}},
                          area[SORT_MOST_KEYS] = {{get_area, true}};
    TRY(draft_create(problem, &search->draft, search->error));
    TRY(hot_create(problem, &search->hot, search->error));
    TRY(eject_create(search->draft, &search->eject, search->error));
    TRY(occupancy_create(problem, &search->occupancy, search->error));
    TRY(plan_create(problem, &search->trial, search->error));
    for (int i = 0; i < ORDERS; i++)
        TRY(memory_create(&search->sorted[i], problem->buffers, sizeof(uint32_t), search->error));
    TRY(sort_by_keys(size, search->draft, problem->buffers, search->sorted[BY_SIZE],
                     search->error));
    return sort_by_keys(area, search->draft, problem->buffers, search->sorted[BY_AREA],
                        search->error);
}

static void clear_search(struct window_search *search)
{
    draft_free(search->draft);
    hot_free(search->hot);
    eject_free(search->eject);
    occupancy_free(search->occupancy);
    plan_free(search->trial);
    for (int i = 0; i < ORDERS; i++)
        memory_free(search->sorted[i]);
}

static enum status offer(struct window_search *search)
{
    struct plan *trial = search->trial;
    trial->status = PLAN_FEASIBLE;
    TRY(plan_set_peak(trial, search->problem, search->error));
    return exact_incumbent_offer(&search->incumbent, trial, search->error);
}

/* An attempt may take a part of what is left of the time, so that one at a capacity that is beyond
   reach leaves some for the next. */
static uint64_t find_attempt_deadline(const struct window_search *search)
{
    uint64_t left_ns = clock_left_ns(search->deadline_ns);
    return left_ns == UINT64_MAX ? UINT64_MAX : clock_deadline_ns(left_ns / 3);
}

static enum status solve_hot(struct window_search *search, bool *found)
{
    const struct hot_effort effort = {.rounds = 2 + search->cycle,
                                      .threads = search->task->threads,
                                      .deadline_ns = find_attempt_deadline(search)};
    struct hot_answer answer;
    TRY(hot_solve(search->hot, search->draft, &effort, &answer, search->error));
    search->incumbent.plan->measures.nodes += answer.nodes;
    *found = answer.found;
    if (answer.bound_bytes <= get_bound_bytes(search))
        return STATUS_OK;
    exact_incumbent_raise_bound(&search->incumbent, answer.bound_bytes);
    return exact_incumbent_note(&search->incumbent, search->error);
}

/* Fills in what is not hot. A plan that needs more than the capacity may still be the best. */
static enum status fill(struct window_search *search, const uint32_t *sorted)
{
    struct fill_whole whole = {.offset = search->trial->offset};
    TRY(fill_draft(search->draft, sorted, search->occupancy, &whole, search->error));
    return whole.peak_bytes < exact_incumbent_peak_bytes(&search->incumbent) ? offer(search)
                                                                             : STATUS_OK;
}

static enum status eject(struct window_search *search)
{
    const struct draft *draft = search->draft;
    uint64_t looks = (uint64_t)LOOKS * search->problem->segments << search->cycle;
    TRY(eject_run(search->eject, looks, find_attempt_deadline(search), search->error));
    if (draft->unplaced.count)
        return STATUS_OK;
    memcpy(search->trial->offset, draft->offset, search->problem->buffers * sizeof *draft->offset);
    return offer(search);
}

static void add_waiting(struct window_search *search)
{
    for (uint32_t i = 0; i < search->draft->unplaced.count; i++)
        hot_add(search->hot, search->draft->unplaced.item[i].value);
}

/* One turn at a capacity. done: more turns would not help. */
static enum status try_turn(struct window_search *search, uint64_t capacity_bytes, uint32_t turn,
                            bool *done)
{
    uint64_t less = turn * planner_option_value(search->planner, STEP),
             share = planner_option_value(search->planner, SHARE);
    uint32_t before = search->hot->count;
    bool found;
    share = share > less ? share - less : 1;
    hot_add_windows(search->hot, search->draft, capacity_bytes / 100 * share);
    *done = turn && search->hot->count == before;
    if (*done)
        return STATUS_OK;
    draft_clear(search->draft, capacity_bytes);
    TRY(solve_hot(search, &found));
    *done = !found || is_over(search);
    if (is_over(search) || get_bound_bytes(search) > capacity_bytes)
        return STATUS_OK;
    TRY(fill(search, search->sorted[turn % ORDERS]));
    if (found && !is_over(search))
        TRY(eject(search));
    *done = *done || exact_incumbent_peak_bytes(&search->incumbent) <= capacity_bytes;
    add_waiting(search);
    return STATUS_OK;
}

static enum status try_capacity(struct window_search *search, uint64_t capacity_bytes)
{
    uint64_t turns = planner_option_value(search->planner, TURNS) + 2 * (uint64_t)search->cycle;
    bool done = false;
    hot_clear(search->hot);
    for (uint32_t turn = 0; turn < turns && !done && !is_over(search); turn++)
        TRY(try_turn(search, capacity_bytes, turn, &done));
    return STATUS_OK;
}

/* The bound first, then an eighth, a quarter and half of the way up to the best plan, until one of
   them is met. */
static enum status run_cycle(struct window_search *search)
{
    for (uint32_t part = 4; part > 0 && !is_over(search); part--) {
        uint64_t bound = get_bound_bytes(search),
                 peak = exact_incumbent_peak_bytes(&search->incumbent);
        uint64_t capacity = part == 4 ? bound : bound + ((peak - bound) >> part);
        assert(bound < peak);
        TRY(try_capacity(search, capacity));
        if (part < 4 && exact_incumbent_peak_bytes(&search->incumbent) <= capacity)
            return STATUS_OK;
    }
    return STATUS_OK;
}

static enum status run_cycles(struct window_search *search)
{
    bool is_limited = search->deadline_ns != UINT64_MAX;
    uint64_t cycles = is_limited ? 62 : planner_option_value(search->planner, CYCLES);
    TRY(exact_quick_plans_try(&search->incumbent, 1, search->error));
    if (is_over(search))
        return STATUS_OK;
    TRY(create_search(search));
    for (; search->cycle < cycles && !is_over(search); search->cycle++)
        TRY(run_cycle(search));
    return STATUS_OK;
}

static enum status take_start(struct window_search *search)
{
    const struct plan *start;
    TRY(components_find_start(search->task, &start, search->error));
    return start ? exact_incumbent_offer(&search->incumbent, start, search->error) : STATUS_OK;
}

static enum status plan_by_windows(const struct planner *planner, const struct planner_task *task,
                                   struct plan *plan, struct error *error)
{
    struct window_search search = {
        .planner = planner,
        .task = task,
        .problem = task->problem,
        .incumbent = {.task = task, .plan = plan, .began_ns = clock_monotonic_ns()},
        .deadline_ns = clock_deadline_ns(task->time_limit_ns),
        .error = error};
    enum status status;
    TRY(search_record_create(&plan->search, error));
    plan->status = PLAN_TIMEOUT;
    TRY_OR_DONE(status, bound_peak(task->problem, &plan->measures.lower_bound_bytes, error));
    TRY_OR_DONE(status, exact_incumbent_note(&search.incumbent, error));
    TRY_OR_DONE(status, take_start(&search));
    if (!is_over(&search))
        TRY_OR_DONE(status, run_cycles(&search));
    exact_incumbent_set_status(&search.incumbent);
done:
    clear_search(&search);
    return status;
}

const struct planner planner_window_search = {
    .name = "window_search",
    .family = "search",
    .title = "exact search of the windows that decide the peak, the rest filled in around them",
    .source = "ours: solvers/window/window_search.c",
    .flags = PLANNER_EXACT | PLANNER_SEARCHES,
    .options = options,
    .plan = plan_by_windows,
};
