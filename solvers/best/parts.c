#include "solvers/best/parts.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "solvers/best/kind.h"
#include "solvers/best/mirror.h"
#include "solvers/exact/solve.h"
#include "solvers/tiles/tile_search.h"
#include "solvers/window/small_last.h"
#include "solvers/window/squeeze.h"
#include "solvers/window/window_search.h"

/* Quick rules by their numbers among portfolio's. The skylines by start, by area and by length of
   life and xla_lazy_best_fit, the quickest of all, do not get slower with the number of live
   buffers; tflite_greedy_by_size is lowest where there are few sizes. */
enum { BY_START = 1, BY_AREA, LAZY, BY_SIZE, BY_LIFE };

/* Those that come first: the skyline by area is seldom far above the bound, and that by length of
   life the lowest where sizes and lives are uniform. */
static const uint32_t first_rule[BEST_RULE_ORDERS][BEST_FIRST_RULES] = {
    [BEST_BY_AREA] = {BY_AREA, BY_START, BY_LIFE, LAZY, BY_SIZE},
    [BEST_BY_SIZES] = {LAZY, BY_SIZE, BY_AREA, BY_LIFE, BY_START},
    [BEST_ALONG_STEPS] = {BY_START, BY_AREA, BY_LIFE, LAZY, BY_SIZE},
};

static uint32_t find_next_rule(const struct best *best)
{
    uint32_t tried = best->quick_rules;
    return tried < BEST_FIRST_RULES ? first_rule[best->rule_order][tried] : tried + 1;
}

bool best_is_next_rule_slow(const struct best *best)
{
    uint32_t rule = find_next_rule(best);
    return rule == BY_SIZE || rule > BY_LIFE;
}

/* What some steps take, roughly, in multiples of the time of the first plan: the first step of the
   squeeze, and some dives of a descent, of which the first alone takes DIVE_QUARTERS quarters. */
enum { SQUEEZE_PLANS = 4, DESCENTS_PLANS = 8, DIVE_QUARTERS = 14 };

static enum status advance_solve(struct best *best, struct exact_incumbent *incumbent,
                                 struct exact_solve **solve, uint64_t step_ns, bool *advanced)
{
    assert(incumbent->task->problem->buffers == best->task->problem->buffers);
    const struct exact_component_options options = exact_component_defaults(best_threads(best));
    if (!*solve)
        TRY(exact_solve_create(incumbent, &options, solve, best->error));
    const struct exact_slice slice = {clock_deadline_ns(step_ns), best->deadline_ns};
    return exact_solve_advance(*solve, &slice, advanced);
}

static enum status advance_exact(struct best *best, uint64_t step_ns, bool *advanced)
{
    return advance_solve(best, &best->incumbent, &best->exact, step_ns, advanced);
}

static enum status advance_mirrored(struct best *best, uint64_t step_ns, bool *advanced)
{
    *advanced = false;
    if (!best->mirrored) {
        TRY(mirror_create(best->task->problem, &best->mirrored, best->error));
        if (!best->mirrored)
            return STATUS_OK;
        assert(best->mirrored->buffers == best->task->problem->buffers);
        best->mirrored_task = *best->task;
        best->mirrored_task.problem = best->mirrored;
        best->mirrored_incumbent = best->incumbent;
        best->mirrored_incumbent.task = &best->mirrored_task;
    }
    return advance_solve(best, &best->mirrored_incumbent, &best->mirrored_exact, step_ns, advanced);
}

/* The first step only finds out whether few windows decide the peak. */
static enum status begin_windows(struct best *best)
{
    assert(!best->windows);
    const struct window_options options = {.share = WINDOW_SHARE,
                                           .step = WINDOW_STEP,
                                           .iterations = WINDOW_TURNS,
                                           .threads = best_threads(best),
                                           .most_pairs = best_count_affordable_pairs(best),
                                           .fill_ns = best->first_plan_ns,
                                           .deadline_ns = best->deadline_ns};
    TRY(window_search_create(&best->incumbent, &options, &best->windows, best->error));
    uint32_t buffers = best->task->problem->buffers, hot = window_search_count_hot(best->windows);
    bool fits;
    TRY(window_search_fits(best->windows, &fits));
    assert(hot <= buffers);
    best->is_local = hot < buffers / 2 && fits;
    best->are_hot_few = hot < buffers / (best->is_steep ? 8 : 20) && fits;
    if (best->is_local && best->kind == BEST_MANY)
        best->kind = BEST_MANY_WITH_WINDOWS;
    return STATUS_OK;
}

static enum status advance_windows(struct best *best, uint64_t step_ns, bool *advanced)
{
    uint64_t plan_ns = best->first_plan_ns, left_ns = clock_left_ns(best->deadline_ns);
    assert(!best->part[BEST_WINDOWS].is_over);
    *advanced = true;
    if (!best->windows) {
        TRY(begin_windows(best));
        if (!best->are_few)
            return STATUS_OK;
    }
    /* Where few windows decide the peak, the attempt gets the time to end, since one that is cut
       short is a waste; but some time is left for the first of the quick plans, or for the squeeze
       where there is no quick plan yet. */
    if (best->is_local) {
        bool is_early = !best->is_steep && !best->part[BEST_SQUEEZE].used_ns;
        uint64_t reserve_ns = 4 * plan_ns,
                 attempt_ns = (is_early ? BEST_EARLY_PLANS : BEST_WINDOWS_PLANS) * plan_ns;
        if (!best->incumbent.quick_plans)
            reserve_ns = left_ns / 5 * 2;
        else if (best->part[BEST_QUICK].is_over || left_ns <= 6 * plan_ns)
            reserve_ns = 0;
        if (step_ns < attempt_ns)
            step_ns = attempt_ns;
        if (step_ns > left_ns - reserve_ns)
            step_ns = left_ns - reserve_ns;
    }
    return window_search_advance(best->windows, step_ns, advanced);
}

static enum status advance_squeeze(struct best *best, uint64_t step_ns, bool *advanced)
{
    uint64_t left_ns = clock_left_ns(best->deadline_ns);
    assert(!best->are_few);
    if (!best->part[BEST_SQUEEZE].used_ns && step_ns < SQUEEZE_PLANS * best->first_plan_ns)
        step_ns = SQUEEZE_PLANS * best->first_plan_ns;
    if (!best->squeeze)
        TRY(squeeze_create(&best->incumbent, &best->squeeze, best->error));
    /* Its own first plan would take most of a short time. */
    if (!best->part[BEST_SQUEEZE].used_ns &&
        left_ns < (best->is_steep ? SQUEEZE_PLANS : 1) * best->first_plan_ns)
        squeeze_begin_with_plan(best->squeeze);
    return squeeze_advance(best->squeeze, step_ns < left_ns ? step_ns : left_ns, advanced);
}

static enum status advance_small_last(struct best *best, uint64_t step_ns, bool *advanced)
{
    assert(best->are_few);
    if (!best->small_last)
        TRY(small_last_create(&best->incumbent, best_threads(best), &best->small_last,
                              best->error));
    const struct exact_slice slice = {clock_deadline_ns(step_ns), best->deadline_ns};
    return small_last_advance(best->small_last, &slice, advanced);
}

static enum status advance_tiles(struct best *best, uint64_t step_ns, bool *advanced)
{
    assert(best->tiles || tile_search_can(&best->incumbent));
    if (!best->tiles)
        TRY(tile_search_create(&best->incumbent, best_threads(best), &best->tiles, best->error));
    const struct exact_slice slice = {clock_deadline_ns(step_ns), best->deadline_ns};
    TRY(tile_search_advance(best->tiles, &slice, advanced));
    if (tile_search_is_sure(best->tiles))
        best->kind = BEST_OF_TILES;
    return STATUS_OK;
}

/* The last of the quick rules by the helper's option of this name; 0 where it has none. */
static uint32_t count_quick_rules(const struct planner *helper)
{
    const struct planner_option *option = helper->options;
    while (option && option->name && strcmp(option->name, "only") != 0)
        option++;
    return option && option->name ? (uint32_t)option->most : 0;
}

/* Makes all quick plans, in at most half of the time that is left, or of many buffers one. */
static enum status advance_quick(struct best *best, uint64_t step_ns, bool *advanced)
{
    SCOPED(planner_release) struct planner *quick = NULL;
    char settings[64];
    (void)step_ns;
    assert(best->task->helper);
    uint64_t left_ns = clock_left_ns(best->deadline_ns);
    uint32_t rule = 0;
    if (!best->are_few) {
        rule = find_next_rule(best);
        best->quick_rules++;
    }
    snprintf(settings, sizeof settings, "descents=0&only=%u", rule);
    TRY(planner_configure(best->task->helper, settings, &quick, best->error));
    const struct exact_question question = {
        quick, best->task->seed, left_ns != UINT64_MAX && best->are_few ? left_ns / 2 : left_ns,
        .starts_from_plan = false};
    *advanced = rule && best->quick_rules < count_quick_rules(best->task->helper);
    return exact_ask_helper(&best->incumbent, &question, best->error);
}

static enum status advance_descents(struct best *best, uint64_t step_ns, bool *advanced)
{
    enum { MOST_DOUBLINGS = 20 };
    uint32_t doublings = best->slices < MOST_DOUBLINGS ? best->slices : MOST_DOUBLINGS;
    uint64_t left_ns = clock_left_ns(best->deadline_ns),
             limit_ns = (BEST_FIRST_SLICE_NS + DESCENTS_PLANS * best->first_plan_ns) << doublings;
    (void)step_ns;
    assert(best->task->helper);
    if (!best->descents)
        TRY(planner_configure(best->task->helper, "quick=0", &best->descents, best->error));
    const struct exact_question question = {best->descents, best->task->seed + best->slices,
                                            limit_ns < left_ns ? limit_ns : left_ns,
                                            .starts_from_plan = best->slices > 0};
    TRY(exact_ask_helper(&best->incumbent, &question, best->error));
    assert(best->descents);
    best->slices++;
    *advanced = true;
    return STATUS_OK;
}

static void rest_windows(struct best *best)
{
    if (best->windows)
        window_search_rest(best->windows);
}

static void rest_squeeze(struct best *best)
{
    if (best->squeeze)
        squeeze_rest(best->squeeze);
}

/* What the search in which small buffers wait is charged in advance is a fixed time. Problems that
   it does not pay for are solved before it begins, after about a tenth of a second. */
const struct best_row best_rows[BEST_PARTS] = {
    [BEST_EXACT] = {advance_exact, NULL, {14, 6, 5, 60, 14, 8}, true, .pair_ns = 100},
    [BEST_WINDOWS] = {advance_windows,
                      rest_windows,
                      {1, 2, 8, 4, 1, 1},
                      .plan_quarters = 2,
                      .few_ns = BEST_FIRST_SLICE_NS,
                      .few_part = 4},
    [BEST_MIRRORED] = {advance_mirrored,
                       NULL,
                       {4, 1, 1, 0, 2, 1},
                       true,
                       .pair_ns = 100,
                       .few_ns = BEST_FIRST_SLICE_NS},
    [BEST_SMALL_LAST] = {advance_small_last, NULL, {4, 0, 0, 0, 0, 1}, true, .fixed_ns = 30000000},
    [BEST_TILES] = {advance_tiles,
                    NULL,
                    {4, 0, 0, 0, 14, 40},
                    true,
                    .pair_ns = 100,
                    .fixed_ns = BEST_FIRST_SLICE_NS},
    [BEST_SQUEEZE] = {advance_squeeze, rest_squeeze, {0, 12, 8, 4, 6, 1}, .plan_quarters = 4},
    [BEST_QUICK] = {advance_quick, NULL, {1, 6, 4, 4, 4, 1}, .plan_quarters = 5, .few_part = 4},
    [BEST_DESCENTS] = {advance_descents,
                       NULL,
                       {2, 12, 1, 1, 5, 1},
                       .plan_quarters = DIVE_QUARTERS,
                       .fixed_ns = BEST_FIRST_SLICE_NS,
                       .few_part = 3},
};

void best_parts_free(struct best *best)
{
    exact_solve_free(best->exact);
    exact_solve_free(best->mirrored_exact);
    problem_free(best->mirrored);
    window_search_free(best->windows);
    squeeze_free(best->squeeze);
    small_last_free(best->small_last);
    tile_search_free(best->tiles);
    planner_free(best->descents);
}
