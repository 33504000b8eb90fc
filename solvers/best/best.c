/* The planner `best`, the default choice: several searches take turns on one problem and share one
   incumbent, so that each prunes by what the others found. The share of the time that each gets
   depends on the size of the problem:

   - the exact search, which solves small problems in milliseconds, and which loses nothing by
     pausing;
   - the exact search with time running backwards, since some problems are hard in one direction
     only;
   - the search in which the smallest buffers wait, for hard problems of few buffers;
   - the search by hot windows, for large problems;
   - the local search that lowers the best plan step by step, also for large problems;
   - the heuristic that the planner's row names: its quick plans, in problems of many buffers one
     rule after another, and its descents, in slices of which each is twice as long as the one
     before.

   A search whose first step takes more time than there is is left out. The planner ends when its
   plan is proved to be the best one, when no search has anything left to do, or at the time
   limit. */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "planning/problem/timeline.h"
#include "solvers/best/mirror.h"
#include "solvers/common/join.h"
#include "solvers/exact/incumbent.h"
#include "solvers/exact/quick_plans.h"
#include "solvers/exact/solve.h"
#include "solvers/window/small_last.h"
#include "solvers/window/squeeze.h"
#include "solvers/window/window_search.h"

enum part_name { EXACT, WINDOWS, MIRRORED, SMALL_LAST, SQUEEZE, QUICK, DESCENTS, PARTS };

/* Up to FEW_BUFFERS the exact search of the whole gets most of the time. */
enum { FEW_BUFFERS = 2048 };

/* Up to SOME_BUFFERS the exact search of the whole may hold MOST_PAIRS overlapping pairs. Where
   there are more buffers, all that is searched exactly holds at most BUFFER_BYTES for each of them.
   With the arrays of the whole problem, most of them those of the windows, that is less than 300
   bytes for each. Where there are fewer than MANY_BUFFERS, it may hold FREE_BYTES more for each
   buffer that is missing, for hot windows of some hundred live buffers. With a thousand the local
   search finds better plans, which needs no lists. */
enum {
    SOME_BUFFERS = 4096,
    MOST_PAIRS = 1 << 22,
    BUFFER_BYTES = 120,
    MANY_BUFFERS = 100000,
    FREE_BYTES = 160,
};

/* Where each buffer overlaps few others on average, at most SHALLOW_PAIRS, the exact search of the
   whole finds plans that no other search does, so there it may hold MOST_SHALLOW_PAIRS. */
enum { SHALLOW_PAIRS = 64, MOST_SHALLOW_PAIRS = 1 << 20 };

/* Where there are many buffers of which each overlaps few others, the exact search of the whole
   comes first, since such chains fall apart into short pieces, which it solves in less time than
   any other search takes for a plan. */
enum { CHAIN_PAIRS = 4 };

/* A problem of more than FEW_BUFFERS is full where at most FULL_SLACK hundredths of the bytes below
   its lower bound are free, averaged over all steps. */
enum { FULL_SLACK = 2 };

/* Problems of few buffers, of many, of many whose peak few hot windows decide, of many that overlap
   few others, and of many that are full. */
enum kind { FEW, MANY, MANY_WITH_WINDOWS, MANY_IN_CHAINS, MANY_AND_FULL, KINDS };

enum { FIRST_SLICE_NS = 5000000 };

/* So many quick rules come first in problems of many buffers. From SLOW_RULES on some take three
   times as long as the first one; so many quarters of its time are expected of them, and of the
   others. */
enum { FIRST_RULES = 5, SLOW_RULES = 4, SLOW_QUARTERS = 12, RULE_QUARTERS = 5 };

/* The quick rules that come first, by their numbers among portfolio's: strip_best_fit_area, which
   is seldom far above the bound, two more of its kind, xla_lazy_best_fit, which is quick, and
   tflite_greedy_by_size, which is best where there are few sizes. */
static const uint32_t first_rule[FIRST_RULES] = {2, 1, 5, 3, 4};

/* How long a part that can pause anywhere goes on before it pauses: SLICE_NS, and all the time used
   so far divided by USED_PER_SLICE. */
static const uint64_t SLICE_NS = 1000000;
enum { USED_PER_SLICE = 32, USED_PER_STEP = 4 };

/* What some steps take, roughly, in multiples of the time of the first plan: an attempt of the
   windows, the first step of the squeeze, a descent. */
enum { WINDOWS_PLANS = 12, SQUEEZE_PLANS = 4, DESCENTS_PLANS = 8 };

/* How many times as long as the plan along the line the first quick plan takes at the most, and a
   quick rule, which cannot be cut short, on average. */
enum { QUICK_PLAN_LINES = 12, RULE_LINES = 8 };

/* The load is steep where so small a share of the segments begin near its greatest value. There
   few quick rules are better than a quick plan, and where it is very steep the squeeze soon gets
   lower than both. */
static const double STEEP_SHARE = 1.0 / 64, VERY_STEEP_SHARE = 1.0 / 256;

/* A part is charged for its next step in advance, so that a long one does not keep short ones of
   others waiting. In problems of many buffers a step that made a better plan costs only one part in
   BETTER_COSTS, so that a search goes on while it finds some. Where neither windows nor chains say
   which search is good, one that has found nothing so far pays BARREN_COSTS times: what lowers the
   peak of one such problem, the squeeze or descents, often does nothing for another. */
enum { BETTER_COSTS = 4, BARREN_COSTS = 4 };
struct part {
    uint64_t used_ns, charged_ns;
    uint64_t next_ns; /* what its next step is expected to take */
    bool is_over;     /* has nothing left to do */
    bool is_fertile;  /* made a better plan at least once */
};

struct best {
    const struct planner_task *task;
    struct exact_incumbent incumbent, mirrored_incumbent;
    struct planner_task mirrored_task;
    struct problem *mirrored;
    struct exact_solve *exact, *mirrored_exact;
    struct window_search *windows;
    struct squeeze *squeeze;
    struct small_last *small_last;
    bool is_local;    /* few windows decide the peak */
    bool are_hot_few; /* so few buffers are in them that an attempt may be quicker than all quick
                         plans */
    struct planner *quick, *descents; /* the helper with only these; or NULL */
    struct part part[PARTS];
    enum kind kind;
    bool are_few;           /* FEW_BUFFERS or less */
    bool is_steep;          /* the load, where there are many buffers */
    uint64_t first_plan_ns; /* what the first plan took */
    uint32_t quick_rules;   /* tried so far, one by one */
    uint32_t slices;        /* of descents so far */
    uint64_t deadline_ns;
    struct error *error;
};

/* A search that takes turns with others. */
struct row {
    enum status (*advance)(struct best *best, bool *advanced); /* one step */
    void (*rest)(struct best *best); /* frees what it can make again while others go on; or NULL */
    uint32_t share[KINDS];           /* of the time; 0 where it takes no part */
    bool pauses;                     /* anywhere, and loses nothing by it */
    /* What its first step takes, roughly: ns for each overlapping pair, quarters of the
       time of the first plan, ns, and ns where there are few buffers. */
    uint64_t pair_ns, plan_quarters, fixed_ns, few_ns;
    /* Where there are few buffers its first step comes when the exact search has had about one part
       in so many of the time limit, if not before; 0: however late that is. */
    uint32_t few_part;
};

static const struct row rows[PARTS];

static bool is_over(const struct best *best)
{
    return exact_incumbent_is_solved(&best->incumbent) || !clock_left_ns(best->deadline_ns);
}

static uint32_t get_threads(const struct best *best)
{
    return best->task->threads > 1 ? best->task->threads : 1;
}

/* Searches that can pause anywhere take turns often. In problems of many buffers they take long
   steps as others do, since the memory of the windows is freed and allocated with each change of
   the search. */
static bool is_sliced(const struct best *best, enum part_name part)
{
    assert(part < PARTS && best->are_few == (best->kind == FEW));
    return best->are_few && rows[part].pauses;
}

/* How long the next step of the part may take: as long as it is expected to and, in problems of
   many buffers, one part in USED_PER_STEP of the time that all parts took so far. So no first step,
   of which little is known, takes all of the time. */
static uint64_t find_step_ns(const struct best *best, enum part_name part)
{
    assert(part < PARTS && !best->part[part].is_over);
    uint64_t used_ns = 0;
    for (uint32_t i = 0; i < PARTS; i++)
        used_ns += best->part[i].used_ns;
    if (is_sliced(best, part))
        return SLICE_NS + used_ns / USED_PER_SLICE;
    return FIRST_SLICE_NS + best->part[part].next_ns +
           (best->are_few ? 0 : used_ns / USED_PER_STEP);
}

static enum status advance_solve(struct best *best, struct exact_incumbent *incumbent,
                                 struct exact_solve **solve, enum part_name part, bool *advanced)
{
    assert(incumbent->task->problem->buffers == best->task->problem->buffers);
    const struct exact_component_options options = exact_component_defaults(get_threads(best));
    assert(part == EXACT || part == MIRRORED);
    if (!*solve)
        TRY(exact_solve_create(incumbent, &options, solve, best->error));
    const struct exact_slice slice = {clock_deadline_ns(find_step_ns(best, part)),
                                      best->deadline_ns};
    return exact_solve_advance(*solve, &slice, advanced);
}

static enum status advance_exact(struct best *best, bool *advanced)
{
    return advance_solve(best, &best->incumbent, &best->exact, EXACT, advanced);
}

static enum status advance_mirrored(struct best *best, bool *advanced)
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
    return advance_solve(best, &best->mirrored_incumbent, &best->mirrored_exact, MIRRORED,
                         advanced);
}

/* How many overlapping pairs the search of the hot windows may hold. While the exact search of the
   whole goes on, that may have half of the memory. */
static uint64_t count_affordable_pairs(const struct best *best)
{
    assert(!best->are_few || best->task->problem->buffers <= FEW_BUFFERS);
    uint32_t buffers = best->task->problem->buffers;
    uint64_t bytes = (uint64_t)BUFFER_BYTES * buffers;
    if (buffers <= SOME_BUFFERS)
        return EXACT_MOST_PAIRS;
    if (buffers < MANY_BUFFERS)
        bytes += (uint64_t)FREE_BYTES * (MANY_BUFFERS - buffers);
    return exact_count_affordable_pairs(best->part[EXACT].is_over ? bytes : bytes / 2,
                                        get_threads(best));
}

/* The first step only finds out whether few windows decide the peak. */
static enum status begin_windows(struct best *best)
{
    assert(!best->windows);
    const struct window_options options = {.share = WINDOW_SHARE,
                                           .step = WINDOW_STEP,
                                           .iterations = WINDOW_TURNS,
                                           .threads = get_threads(best),
                                           .most_pairs = count_affordable_pairs(best),
                                           .deadline_ns = best->deadline_ns};
    TRY(window_search_create(&best->incumbent, &options, &best->windows, best->error));
    uint32_t buffers = best->task->problem->buffers, hot = window_search_count_hot(best->windows);
    bool fits;
    TRY(window_search_fits(best->windows, &fits));
    assert(hot <= buffers);
    best->is_local = hot < buffers / 2 && fits;
    best->are_hot_few = hot < buffers / 20 && fits;
    if (best->is_local && best->kind == MANY)
        best->kind = MANY_WITH_WINDOWS;
    return STATUS_OK;
}

static enum status advance_windows(struct best *best, bool *advanced)
{
    assert(!best->part[WINDOWS].is_over);
    uint64_t step_ns = find_step_ns(best, WINDOWS), plan_ns = best->first_plan_ns,
             left_ns = clock_left_ns(best->deadline_ns);
    *advanced = true;
    if (!best->windows) {
        TRY(begin_windows(best));
        if (!best->are_few)
            return STATUS_OK;
    }
    /* Where few windows decide the peak, the attempt gets the time to end, since one that is cut
       short is a waste; but some time is left for the first of the quick plans. */
    if (best->is_local) {
        if (step_ns < WINDOWS_PLANS * plan_ns)
            step_ns = WINDOWS_PLANS * plan_ns;
        if (!best->part[QUICK].is_over && left_ns > 6 * plan_ns && step_ns > left_ns - 4 * plan_ns)
            step_ns = left_ns - 4 * plan_ns;
    }
    return window_search_advance(best->windows, step_ns, advanced);
}

static enum status advance_squeeze(struct best *best, bool *advanced)
{
    uint64_t step_ns = find_step_ns(best, SQUEEZE), left_ns = clock_left_ns(best->deadline_ns);
    if (!best->part[SQUEEZE].used_ns && step_ns < SQUEEZE_PLANS * best->first_plan_ns)
        step_ns = SQUEEZE_PLANS * best->first_plan_ns;
    if (!best->squeeze)
        TRY(squeeze_create(&best->incumbent, &best->squeeze, best->error));
    return squeeze_advance(best->squeeze, step_ns < left_ns ? step_ns : left_ns, advanced);
}

static enum status advance_small_last(struct best *best, bool *advanced)
{
    assert(best->are_few);
    if (!best->small_last)
        TRY(small_last_create(&best->incumbent, get_threads(best), &best->small_last, best->error));
    const struct exact_slice slice = {clock_deadline_ns(find_step_ns(best, SMALL_LAST)),
                                      best->deadline_ns};
    return small_last_advance(best->small_last, &slice, advanced);
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
static enum status advance_quick(struct best *best, bool *advanced)
{
    assert(best->task->helper);
    char settings[64];
    uint64_t left_ns = clock_left_ns(best->deadline_ns);
    uint32_t rule = 0;
    if (!best->are_few) {
        rule =
            best->quick_rules < FIRST_RULES ? first_rule[best->quick_rules] : best->quick_rules + 1;
        best->quick_rules++;
    }
    snprintf(settings, sizeof settings, "descents=0&only=%u", rule);
    planner_free(best->quick);
    best->quick = NULL;
    TRY(planner_configure(best->task->helper, settings, &best->quick, best->error));
    const struct exact_question question = {
        best->quick, best->task->seed,
        left_ns != UINT64_MAX && best->are_few ? left_ns / 2 : left_ns, .starts_from_plan = false};
    *advanced = rule && best->quick_rules < count_quick_rules(best->task->helper);
    return exact_ask_helper(&best->incumbent, &question, best->error);
}

static enum status advance_descents(struct best *best, bool *advanced)
{
    enum { MOST_DOUBLINGS = 20 };
    uint32_t doublings = best->slices < MOST_DOUBLINGS ? best->slices : MOST_DOUBLINGS;
    uint64_t left_ns = clock_left_ns(best->deadline_ns),
             limit_ns = (FIRST_SLICE_NS + DESCENTS_PLANS * best->first_plan_ns) << doublings;
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
static const struct row rows[PARTS] = {
    [EXACT] = {advance_exact, NULL, {14, 6, 5, 60, 14}, true, .pair_ns = 100},
    [WINDOWS] = {advance_windows,
                 rest_windows,
                 {1, 2, 8, 4, 1},
                 .plan_quarters = 2,
                 .few_ns = FIRST_SLICE_NS,
                 .few_part = 4},
    [MIRRORED] =
        {advance_mirrored, NULL, {4, 1, 1, 0, 2}, true, .pair_ns = 100, .few_ns = FIRST_SLICE_NS},
    [SMALL_LAST] = {advance_small_last, NULL, {4, 0, 0, 0, 0}, true, .fixed_ns = 30000000},
    [SQUEEZE] = {advance_squeeze, rest_squeeze, {0, 12, 8, 4, 6}, .plan_quarters = 4},
    [QUICK] = {advance_quick, NULL, {1, 6, 4, 4, 4}, .plan_quarters = RULE_QUARTERS, .few_part = 4},
    [DESCENTS] = {advance_descents,
                  NULL,
                  {2, 12, 1, 1, 5},
                  .plan_quarters = 4 * DESCENTS_PLANS,
                  .fixed_ns = FIRST_SLICE_NS,
                  .few_part = 3},
};

/* Whether even the first step of the part would take longer than there is time, or a quick rule,
   which cannot be cut short. */
static bool is_too_late(const struct best *best, const struct part *part)
{
    assert(part >= best->part && part < best->part + PARTS);
    bool is_rule = !best->are_few && part == &best->part[QUICK];
    return (is_rule || !part->used_ns) && part->next_ns > clock_left_ns(best->deadline_ns);
}

/* The part that would have had the least of its share of the time after its next step; PARTS where
   all are over. */
static uint32_t choose_part(const struct best *best)
{
    uint64_t least_ns = UINT64_MAX;
    uint32_t chosen = PARTS;
    for (uint32_t i = 0; i < PARTS; i++) {
        const struct part *part = &best->part[i];
        if (part->is_over || is_too_late(best, part))
            continue;
        assert(rows[i].share[best->kind]);
        uint64_t ns = (part->charged_ns + part->next_ns) / rows[i].share[best->kind];
        if (chosen == PARTS || ns < least_ns) {
            chosen = i;
            assert(chosen == PARTS || !best->part[chosen].is_over);
            least_ns = ns;
        }
    }
    return chosen;
}

static enum status take_step(struct best *best, uint32_t index)
{
    struct part *part = &best->part[index];
    assert(index < PARTS && rows[index].share[best->kind]);
    for (uint32_t i = 0; i < PARTS; i++)
        if (i != index && rows[i].rest && !best->are_few)
            rows[i].rest(best);
    uint64_t began_ns = clock_monotonic_ns(), peak = exact_incumbent_peak_bytes(&best->incumbent);
    bool advanced;
    TRY(rows[index].advance(best, &advanced));
    uint64_t took_ns = clock_monotonic_ns() - began_ns;
    assert(exact_incumbent_peak_bytes(&best->incumbent) <= peak);
    part->is_over = !advanced;
    part->used_ns += took_ns;
    assert(part->charged_ns / BARREN_COSTS <= part->used_ns);
    bool is_better = exact_incumbent_peak_bytes(&best->incumbent) < peak;
    part->is_fertile = part->is_fertile || is_better;
    if (!best->are_few && is_better) {
        part->charged_ns += took_ns / BETTER_COSTS;
        part->next_ns = 0;
    } else {
        part->charged_ns += took_ns * (best->kind == MANY && !part->is_fertile ? BARREN_COSTS : 1);
        part->next_ns =
            is_sliced(best, index) ? 0 : 2 * took_ns + (best->are_few ? FIRST_SLICE_NS : 0);
    }
    if (!best->are_few && index == QUICK)
        part->next_ns = best->first_plan_ns / 4 *
                        (best->quick_rules < SLOW_RULES ? RULE_QUARTERS : SLOW_QUARTERS);
    return STATUS_OK;
}

static enum status take_first_rules(struct best *best, uint32_t count)
{
    while (best->quick_rules < count && !is_over(best) && !best->part[QUICK].is_over &&
           !is_too_late(best, &best->part[QUICK]))
        TRY(take_step(best, QUICK));
    return STATUS_OK;
}

/* The first steps in problems of many buffers, whose order is fixed. */
static enum status take_first_steps(struct best *best)
{
    assert(!best->are_few);
    if (best->kind == MANY_IN_CHAINS)
        return STATUS_OK;
    if (!is_too_late(best, &best->part[WINDOWS]))
        TRY(take_step(best, WINDOWS));
    if (best->are_hot_few)
        return STATUS_OK;
    TRY(take_first_rules(best, !best->is_steep ? FIRST_RULES : best->kind == MANY ? 1 : 0));
    if (!is_too_late(best, &best->part[SQUEEZE]))
        TRY(take_step(best, SQUEEZE));
    uint64_t attempt_ns = WINDOWS_PLANS * best->first_plan_ns;
    if (attempt_ns > clock_left_ns(best->deadline_ns))
        best->part[WINDOWS].next_ns = attempt_ns;
    return STATUS_OK;
}

static void free_best(struct best *best)
{
    exact_solve_free(best->exact);
    exact_solve_free(best->mirrored_exact);
    problem_free(best->mirrored);
    window_search_free(best->windows);
    squeeze_free(best->squeeze);
    small_last_free(best->small_last);
    planner_free(best->quick);
    planner_free(best->descents);
}

static bool is_full(const struct problem *problem, uint64_t bound_bytes)
{
    double used = 0, all = (double)bound_bytes * problem_line_steps(problem);
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            used += (double)problem->size[b] * (problem->upper[s] - problem->lower[s]);
    return 100 * (all - used) <= FULL_SLACK * all;
}

static enum status expect_first_steps(struct best *best)
{
    uint64_t pairs;
    struct part *part = best->part;
    TRY(timeline_count_pairs(best->task->problem, &pairs, best->error));
    uint64_t most_pairs =
        best->task->problem->buffers > SOME_BUFFERS ? count_affordable_pairs(best) / 2 : MOST_PAIRS;
    uint64_t chain_pairs = (uint64_t)CHAIN_PAIRS * best->task->problem->buffers;
    if (most_pairs < MOST_SHALLOW_PAIRS &&
        pairs <= (uint64_t)SHALLOW_PAIRS * best->task->problem->buffers)
        most_pairs = MOST_SHALLOW_PAIRS;
    if (!best->are_few && pairs <= chain_pairs) {
        best->kind = MANY_IN_CHAINS;
        most_pairs = chain_pairs;
    }
    if (best->kind == MANY && pairs <= most_pairs &&
        is_full(best->task->problem, best->incumbent.plan->measures.lower_bound_bytes))
        best->kind = MANY_AND_FULL;
    for (uint32_t i = 0; i < PARTS; i++) {
        part[i].is_over = !rows[i].share[best->kind];
        part[i].next_ns = pairs * rows[i].pair_ns +
                          best->first_plan_ns / 4 * rows[i].plan_quarters + rows[i].fixed_ns +
                          (best->are_few ? rows[i].few_ns : 0);
    }
    part[EXACT].is_over = pairs > most_pairs;
    part[MIRRORED].is_over = part[MIRRORED].is_over || pairs > most_pairs;
    part[QUICK].is_over = part[DESCENTS].is_over = !best->task->helper;
    for (uint32_t i = 0; best->are_few && i < PARTS; i++) {
        if (!rows[i].few_part)
            continue;
        uint64_t latest_ns = clock_left_ns(best->deadline_ns) / rows[i].few_part /
                             rows[EXACT].share[FEW] * rows[i].share[FEW];
        if (part[i].next_ns > latest_ns)
            part[i].next_ns = latest_ns;
    }
    return STATUS_OK;
}

/* Lowers the plan along the line until the time is up. */
static enum status lower_line_plan(struct best *best)
{
    bool advanced = true;
    squeeze_begin_with_plan(best->squeeze);
    while (advanced && !is_over(best))
        TRY(squeeze_advance(best->squeeze, clock_left_ns(best->deadline_ns), &advanced));
    return STATUS_OK;
}

/* Makes the plan that the other searches begin with. Where there may be no time for it, the squeeze
   gets lower from the plan along the line, if that is steep. */
static enum status make_first_plan(struct best *best)
{
    struct exact_incumbent *incumbent = &best->incumbent;
    uint64_t line_ns = best->first_plan_ns, began_ns = clock_monotonic_ns(),
             left_ns = clock_left_ns(best->deadline_ns);
    double share;
    bool advanced;
    TRY(squeeze_create(incumbent, &best->squeeze, best->error));
    TRY(squeeze_find_high_share(best->squeeze, &share));
    best->is_steep = share <= STEEP_SHARE;
    if (incumbent->is_hurried ||
        (share <= VERY_STEEP_SHARE && left_ns < QUICK_PLAN_LINES * line_ns))
        return lower_line_plan(best);
    squeeze_rest(best->squeeze);
    bool is_rule = !best->is_steep && left_ns >= RULE_LINES * line_ns && best->task->helper;
    TRY(is_rule ? advance_quick(best, &advanced)
                : exact_quick_plans_try(incumbent, 1, best->error));
    best->first_plan_ns = clock_monotonic_ns() - began_ns;
    return STATUS_OK;
}

static enum status run(struct best *best)
{
    TRY(exact_quick_plans_begin(&best->incumbent, best->error));
    best->first_plan_ns = clock_monotonic_ns() - best->incumbent.began_ns;
    if (!is_over(best) && !best->are_few && !best->incumbent.quick_plans)
        TRY(make_first_plan(best));
    if (is_over(best) || best->incumbent.is_hurried)
        return STATUS_OK;
    TRY(expect_first_steps(best));
    if (!best->are_few)
        TRY(take_first_steps(best));
    while (!is_over(best)) {
        uint32_t next = choose_part(best);
        if (next == PARTS)
            return STATUS_OK;
        assert(!best->part[next].is_over);
        TRY(take_step(best, next));
    }
    return STATUS_OK;
}

static enum status plan_part(const struct planner *planner, const struct planner_task *task,
                             struct plan *plan, struct error *error)
{
    (void)planner;
    struct best best = {.task = task,
                        .incumbent = {.task = task, .plan = plan, .began_ns = clock_monotonic_ns()},
                        .are_few = task->problem->buffers <= FEW_BUFFERS,
                        .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                        .error = error};
    best.kind = best.are_few ? FEW : MANY;
    enum status status = run(&best);
    free_best(&best); /* which counts what the exact searches did */
    TRY(status);
    assert(plan->search);
    const uint64_t *counter = plan->search->counter;
    plan->measures.nodes += counter[SEARCH_PLACEMENTS] + counter[SEARCH_REJECTIONS];
    assert(!plan_found(plan) || plan->measures.lower_bound_bytes <= plan->measures.peak_bytes);
    exact_incumbent_set_status(&best.incumbent);
    return STATUS_OK;
}

static enum status plan_best(const struct planner *planner, const struct planner_task *task,
                             struct plan *plan, struct error *error)
{
    if (problem_is_by_clocks(task->problem) && task->helper)
        return planner_plan(task->helper, task, plan, error);
    return join_plan(planner, task, plan_part, plan, error);
}

const struct planner planner_best = {
    .name = "best",
    .family = "search",
    .title = "all searches in turns on one problem: the one planner to ask for",
    .source = "ours: solvers/best/best.c",
    .flags = PLANNER_EXACT | PLANNER_SEARCHES | PLANNER_RANDOMISED | PLANNER_CLOCKS,
    .helper = "portfolio",
    .plan = plan_best,
};
