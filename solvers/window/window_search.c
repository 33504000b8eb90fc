#include "solvers/window/window_search.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/sort.h"
#include "solvers/exact/quick_plans.h"
#include "solvers/exact/solve.h"
#include "solvers/window/eject.h"
#include "solvers/window/fill.h"
#include "solvers/window/hot.h"

/* How many segments ejection may look at in an iteration of the first cycle, for each segment of
   the problem. */
enum { LOOKS = 100 };

/* Ejection is given up when MOST_GROWTH times as many buffers wait as at first, and MOST_MORE
   more. */
enum { MOST_GROWTH = 3, MOST_MORE = 50 };

/* Attempts of a cycle, and the last cycle that takes more effort than the one before. */
enum { PARTS = 4, LAST_CYCLE = 40 };

enum { BY_AREA, BY_SIZE, ORDERS };

struct window_search {
    struct exact_incumbent *incumbent;
    struct window_options options;
    const struct problem *problem;
    struct draft *draft;
    struct hot *hot;
    struct eject *eject;
    struct occupancy *occupancy;
    uint32_t *sorted[ORDERS]; /* [buffers] each */
    struct plan *trial;
    uint32_t cycle, part; /* of the next attempt */
    uint64_t attempt_deadline_ns;
    struct scratch memory; /* of sorted */
    struct error *error;
};

static bool is_over(const struct window_search *search)
{
    return exact_incumbent_is_solved(search->incumbent) ||
           !clock_left_ns(search->options.deadline_ns);
}

static uint64_t get_bound_bytes(const struct window_search *search)
{
    return search->incumbent->plan->measures.lower_bound_bytes;
}

static enum status fill_search(struct window_search *search)
{
    const struct problem *problem = search->problem;
    assert(!search->draft && !search->trial);
    TRY(draft_create(problem, &search->draft, search->error));
    const struct sort_key size[SORT_MOST_KEYS] = {{SORT_ARRAY(problem->size), .descending = true}},
                          area[SORT_MOST_KEYS] = {
                              {SORT_ARRAY(search->draft->area), .descending = true}};
    TRY(hot_create(problem, &search->hot, search->error));
    TRY(eject_create(search->draft, &search->eject, search->error));
    TRY(occupancy_create(problem, &search->occupancy, search->error));
    TRY(plan_create(problem, &search->trial, search->error));
    for (int i = 0; i < ORDERS; i++)
        TRY(scratch_take(&search->memory, &search->sorted[i], problem->buffers, sizeof(uint32_t),
                         search->error));
    TRY(sort_by_keys(size, NULL, problem->buffers, search->sorted[BY_SIZE], search->error));
    return sort_by_keys(area, NULL, problem->buffers, search->sorted[BY_AREA], search->error);
}

enum status window_search_create(struct exact_incumbent *incumbent,
                                 const struct window_options *options,
                                 struct window_search **created, struct error *error)
{
    SCOPED(window_search_release) struct window_search *search = NULL;
    TRY(memory_create(&search, 1, sizeof *search, error));
    search->incumbent = incumbent;
    search->problem = incumbent->task->problem;
    search->options = *options;
    search->error = error;
    TRY(fill_search(search));
    HAND_OVER(search, created);
}

void window_search_rest(struct window_search *search)
{
    draft_free(search->draft);
    hot_free(search->hot);
    eject_free(search->eject);
    occupancy_free(search->occupancy);
    plan_free(search->trial);
    search->draft = NULL;
    search->hot = NULL;
    search->eject = NULL;
    search->occupancy = NULL;
    search->trial = NULL;
    scratch_free(&search->memory);
}

void window_search_free(struct window_search *search)
{
    if (!search)
        return;
    window_search_rest(search);
    memory_free(search);
}

/* Fills in what is not hot, and drives out what is in the way of the rest. A plan that needs more
   than the capacity may still be the best. */
static enum status fill_and_eject(struct window_search *search, const uint32_t *sorted)
{
    const struct draft *draft = search->draft;
    const struct fill_rule rule = {sorted, search->occupancy, search->options.deadline_ns};
    struct fill_whole whole = {.offset = search->trial->offset};
    assert(search->draft && search->occupancy && !draft->unplaced.count);
    TRY(fill_draft(search->draft, &rule, &whole, search->error));
    if (whole.peak_bytes < exact_incumbent_peak_bytes(search->incumbent))
        TRY(exact_incumbent_offer_offsets(search->incumbent, search->trial, search->error));
    if (is_over(search))
        return STATUS_OK;
    struct eject_effort effort = {.looks = (uint64_t)LOOKS * search->problem->segments
                                           << search->cycle,
                                  .most_waiting = MOST_GROWTH * draft->unplaced.count + MOST_MORE,
                                  .deadline_ns = search->attempt_deadline_ns};
    TRY(eject_run(search->eject, &effort, search->error));
    if (draft->unplaced.count)
        return STATUS_OK;
    memcpy(search->trial->offset, draft->offset, search->problem->buffers * sizeof *draft->offset);
    return exact_incumbent_offer_offsets(search->incumbent, search->trial, search->error);
}

/* When the search of what is hot has to end, so that there is time to fill in the rest. */
static uint64_t find_hot_deadline(const struct window_search *search)
{
    uint64_t latest_ns = search->options.deadline_ns;
    if (latest_ns != UINT64_MAX)
        latest_ns -= search->options.fill_ns < latest_ns ? search->options.fill_ns : latest_ns;
    return latest_ns < search->attempt_deadline_ns ? latest_ns : search->attempt_deadline_ns;
}

/* Searches what is hot, and takes what is proved of it, which holds of the whole. */
static enum status solve_hot(struct window_search *search, bool *found)
{
    const struct hot_effort effort = {.rounds = 2 + search->cycle,
                                      .threads = search->options.threads,
                                      .deadline_ns = find_hot_deadline(search)};
    struct hot_answer answer;
    TRY(hot_solve(search->hot, search->draft, &effort, &answer, search->error));
    assert(!answer.found || answer.bound_bytes <= search->draft->capacity_bytes);
    search->incumbent->plan->measures.nodes += answer.nodes;
    *found = answer.found;
    if (answer.bound_bytes <= get_bound_bytes(search))
        return STATUS_OK;
    exact_incumbent_raise_bound(search->incumbent, answer.bound_bytes);
    return exact_incumbent_note(search->incumbent, search->error);
}

/* Chooses the hot windows of this iteration. Where they are too many for the memory or the time of
   the exact search, only the hottest stay. */
static enum status choose_hot(struct window_search *search, uint64_t capacity_bytes,
                              uint32_t iteration)
{
    const struct hot_limits limits = {search->options.most_pairs, search->attempt_deadline_ns};
    uint64_t less = (uint64_t)iteration * search->options.step, share = search->options.share;
    bool fits;
    assert(share > 0 && share <= 1000);
    share = share > less ? share - less : 1;
    assert(share > 0 && share <= 1000);
    hot_add_windows(search->hot, search->draft, capacity_bytes / 1000 * share);
    TRY(hot_can_solve(search->hot, &limits, &fits, search->error));
    while (!fits && share < 1000) {
        share += (1000 - share + 1) / 2;
        assert(share <= 1000);
        hot_clear(search->hot);
        if (share < 1000)
            hot_add_windows(search->hot, search->draft, capacity_bytes / 1000 * share);
        TRY(hot_can_solve(search->hot, &limits, &fits, search->error));
    }
    return STATUS_OK;
}

/* One iteration at a capacity. done: more iterations would not help. */
static enum status try_iteration(struct window_search *search, uint64_t capacity_bytes,
                                 uint32_t iteration, bool *done)
{
    uint32_t before = search->hot->count;
    assert(capacity_bytes >= get_bound_bytes(search));
    bool found;
    TRY(choose_hot(search, capacity_bytes, iteration));
    *done = iteration && search->hot->count <= before;
    if (*done)
        return STATUS_OK;
    assert(search->hot->count <= search->problem->buffers);
    draft_clear(search->draft, capacity_bytes);
    TRY(solve_hot(search, &found));
    *done = !found || is_over(search);
    if (*done || get_bound_bytes(search) > capacity_bytes)
        return STATUS_OK;
    TRY(fill_and_eject(search, search->sorted[iteration % ORDERS]));
    *done = *done || exact_incumbent_peak_bytes(search->incumbent) <= capacity_bytes;
    for (uint32_t i = 0; i < search->draft->unplaced.count; i++)
        hot_add(search->hot, search->draft->unplaced.item[i].value);
    return STATUS_OK;
}

enum status window_search_advance(struct window_search *search, uint64_t limit_ns, bool *advanced)
{
    const struct exact_incumbent *incumbent = search->incumbent;
    bool minimises = exact_incumbent_minimises(incumbent), done = false;
    *advanced = false;
    if (is_over(search) || clock_left_ns(search->options.deadline_ns) < search->options.fill_ns)
        return STATUS_OK;
    if (!search->draft)
        TRY(fill_search(search));
    search->attempt_deadline_ns = clock_deadline_ns(limit_ns);
    if (search->attempt_deadline_ns > search->options.deadline_ns)
        search->attempt_deadline_ns = search->options.deadline_ns;
    /* The capacity is the task's, where it asks for one. Else it lies above the bound by a part of
       the way up to the best plan: by nothing in the first attempt of a cycle, then by an eighth, a
       quarter and half of it. */
    uint64_t bound = get_bound_bytes(search), peak = exact_incumbent_peak_bytes(incumbent);
    uint64_t capacity_bytes = bound,
             iterations = search->options.iterations + 2 * (uint64_t)search->cycle;
    assert(bound < peak && search->part < PARTS && search->cycle <= LAST_CYCLE);
    if (!minimises)
        capacity_bytes = incumbent->task->capacity_bytes;
    else if (search->part)
        capacity_bytes += (peak - bound) >> (PARTS - search->part);
    hot_clear(search->hot);
    for (uint32_t iteration = 0; iteration < iterations && !done && !is_over(search) &&
                                 clock_left_ns(search->attempt_deadline_ns);
         iteration++)
        TRY(try_iteration(search, capacity_bytes, iteration, &done));
    assert(exact_incumbent_peak_bytes(incumbent) <= peak && get_bound_bytes(search) >= bound);
    bool met = exact_incumbent_peak_bytes(incumbent) <= capacity_bytes;
    if (met || !minimises || ++search->part == PARTS) {
        search->part = 0;
        search->cycle += search->cycle < LAST_CYCLE;
    }
    *advanced = !is_over(search);
    return STATUS_OK;
}

uint32_t window_search_count_hot(struct window_search *search)
{
    assert(search->draft);
    hot_clear(search->hot);
    hot_add_windows(search->hot, search->draft,
                    get_bound_bytes(search) / 1000 * search->options.share);
    return search->hot->count;
}

enum status window_search_fits(struct window_search *search, bool *fits)
{
    const struct hot_limits limits = {search->options.most_pairs, search->options.deadline_ns};
    window_search_count_hot(search);
    return hot_can_solve(search->hot, &limits, fits, search->error);
}

static const struct planner_option options[] = {
    {"share", "thousandths of the capacity from which on windows are hot at first", WINDOW_SHARE, 1,
     1000},
    {"step", "thousandths less with each iteration", WINDOW_STEP, 1, 1000},
    {"turns", "at a capacity in the first cycle; two more in each later one", WINDOW_TURNS, 1, 100},
    {"cycles", "of more and more effort, where no time limit ends them", 6, 1, 62},
    {NULL, NULL, 0, 0, 0},
};

enum { SHARE, STEP, TURNS, CYCLES };

static enum status search_windows(const struct planner *planner, struct exact_incumbent *incumbent,
                                  uint64_t deadline_ns, struct error *error)
{
    uint32_t threads = incumbent->task->threads;
    const struct window_options values = {.share = planner_option_value(planner, SHARE),
                                          .step = planner_option_value(planner, STEP),
                                          .iterations = planner_option_value(planner, TURNS),
                                          .threads = threads > 1 ? threads : 1,
                                          .most_pairs = EXACT_MOST_PAIRS,
                                          .deadline_ns = deadline_ns};
    uint64_t cycles = planner_option_value(planner, CYCLES);
    SCOPED(window_search_release) struct window_search *search = NULL;
    bool advanced = true;
    TRY(window_search_create(incumbent, &values, &search, error));
    while (advanced && (deadline_ns != UINT64_MAX || search->cycle < cycles)) {
        /* An attempt may take a part of what is left of the time, so that one at a capacity that is
           beyond reach leaves some for the next. */
        uint64_t left_ns = clock_left_ns(deadline_ns);
        TRY(window_search_advance(search, left_ns == UINT64_MAX ? left_ns : left_ns / 3,
                                  &advanced));
    }
    return STATUS_OK;
}

/* The planner `window_search`: a first plan, then attempt after attempt. Clocks alone have no line
   of steps and so no windows: there it gives the best quick plan. */
static enum status plan_by_windows(const struct planner *planner, const struct planner_task *task,
                                   struct plan *plan, struct error *error)
{
    struct exact_incumbent incumbent = {
        .task = task, .plan = plan, .began_ns = clock_monotonic_ns()};
    uint64_t deadline_ns = clock_deadline_ns(task->time_limit_ns);
    TRY(exact_quick_plans_begin(&incumbent, error));
    if (!incumbent.is_hurried)
        TRY(exact_quick_plans_try(&incumbent, 1, error));
    if (!exact_incumbent_is_solved(&incumbent) && clock_left_ns(deadline_ns) &&
        !incumbent.is_hurried)
        TRY(problem_is_by_clocks(task->problem)
                ? exact_quick_plans_try(&incumbent, EXACT_QUICK_PLANS, error)
                : search_windows(planner, &incumbent, deadline_ns, error));
    exact_incumbent_set_status(&incumbent);
    return STATUS_OK;
}

const struct planner planner_window_search = {
    .name = "window_search",
    .family = "search",
    .title = "exact search of the windows that decide the peak, the rest filled in around them",
    .source = "ours: solvers/window/window_search.h",
    .flags = PLANNER_EXACT | PLANNER_SEARCHES | PLANNER_CLOCKS,
    .options = options,
    .plan = plan_by_windows,
};
