/* The planner `best`, the default choice: several searches take turns on one problem and share one
   incumbent, so that each prunes by what the others found. The share of the time that each gets
   depends on the size of the problem:

   - the exact search, which solves small problems in milliseconds, and which loses nothing by
     pausing;
   - the exact search with time running backwards, since some problems are hard in one direction
     only;
   - the search in which the smallest buffers wait, for hard problems of few buffers;
   - the search by tiles, for problems that are nearly full at every step;
   - the search by hot windows, for large problems;
   - the local search that lowers the best plan step by step, also for large problems;
   - the heuristic that the planner's row names: its quick plans, in problems of many buffers one
     rule after another, and its descents, in slices of which each is twice as long as the one
     before.

   A search whose first step takes more time than there is is left out. The planner ends when its
   plan is proved to be the best one, when no search has anything left to do, or at the time
   limit. */

#include <assert.h>

#include "core/clock.h"
#include "solvers/best/kind.h"
#include "solvers/best/parts.h"
#include "solvers/best/turns.h"
#include "solvers/common/join.h"
#include "solvers/exact/quick_plans.h"
#include "solvers/window/squeeze.h"

/* How many times as long as the plan along the line takes the first attempt of the windows, which
   lowers no peak until it ends; and, on average, a quick plan, which cannot be cut short. */
enum { ATTEMPT_LINES = 14, RULE_LINES = 8 };

/* The load is steep where so small a share of the segments begin near its greatest value. Where it
   is very steep, the squeeze soon gets lower than most quick plans. */
static const double STEEP_SHARE = 1.0 / 64, VERY_STEEP_SHARE = 1.0 / 256;

/* Where the plan along the steps is no further above the bound than this share of it, a rule that
   goes along the steps often reaches the bound. */
static const double LOW_LINE = 1.0 / 64;

/* Lowers the plan along the line until the time is up. */
static enum status lower_line_plan(struct best *best)
{
    bool advanced = true;
    squeeze_begin_with_plan(best->squeeze);
    while (advanced && !best_is_over(best))
        TRY(squeeze_advance(best->squeeze, clock_left_ns(best->deadline_ns), &advanced));
    return STATUS_OK;
}

static enum best_rule_order find_rule_order(const struct best *best)
{
    double above = (double)exact_incumbent_peak_bytes(&best->incumbent) /
                   (double)exact_incumbent_enough_bytes(&best->incumbent);
    if (above <= 1 + LOW_LINE)
        return BEST_ALONG_STEPS;
    return best_count_sizes(best->task->problem) < BEST_MOST_SIZES ? BEST_BY_SIZES : BEST_BY_AREA;
}

/* Makes the plan that the other searches begin with. Where the load is steep that stays the plan
   along the line, since the first attempt of the windows makes a better one in the time of a quick
   plan; where there may be no time for it, the squeeze gets lower from there, or from first fit by
   size where there is time for that. */
static enum status make_first_plan(struct best *best)
{
    struct exact_incumbent *incumbent = &best->incumbent;
    uint64_t line_ns = best->first_plan_ns, began_ns = clock_monotonic_ns(),
             left_ns = clock_left_ns(best->deadline_ns);
    double share;
    bool advanced;
    assert(!best->are_few && !best->squeeze);
    best->rule_order = find_rule_order(best);
    TRY(squeeze_create(incumbent, &best->squeeze, best->error));
    TRY(squeeze_find_high_share(best->squeeze, &share));
    best->is_steep = share <= STEEP_SHARE;
    if (incumbent->is_hurried || (share <= VERY_STEEP_SHARE && left_ns < ATTEMPT_LINES * line_ns)) {
        if (!incumbent->is_hurried && left_ns >= RULE_LINES * line_ns)
            TRY(exact_quick_plans_try(incumbent, 1, best->error));
        return lower_line_plan(best);
    }
    squeeze_rest(best->squeeze);
    best->first_plan_ns = RULE_LINES * line_ns;
    if (best->is_steep)
        return best->rule_order == BEST_BY_SIZES ? exact_quick_plans_try(incumbent, 1, best->error)
                                                 : STATUS_OK;
    bool is_rule = left_ns >= best->first_plan_ns && best->task->helper &&
                   best->rule_order != BEST_BY_AREA; /* first fit by size takes half its time */
    TRY(is_rule ? best_rows[BEST_QUICK].advance(best, 0, &advanced)
                : exact_quick_plans_try(incumbent, 1, best->error));
    uint64_t took_ns = clock_monotonic_ns() - began_ns;
    if (took_ns > best->first_plan_ns) /* the quickest rule says little of the others */
        best->first_plan_ns = took_ns;
    return STATUS_OK;
}

static enum status run(struct best *best)
{
    TRY(exact_quick_plans_begin(&best->incumbent, best->error));
    best->first_plan_ns = clock_monotonic_ns() - best->incumbent.began_ns;
    if (!best_is_over(best) && !best->are_few && !best->incumbent.quick_plans)
        TRY(make_first_plan(best));
    if (best_is_over(best) || best->incumbent.is_hurried)
        return STATUS_OK;
    return best_take_turns(best);
}

static enum status plan_part(const struct planner *planner, const struct planner_task *task,
                             struct plan *plan, struct error *error)
{
    (void)planner;
    struct best best = {.task = task,
                        .incumbent = {.task = task, .plan = plan, .began_ns = clock_monotonic_ns()},
                        .are_few = task->problem->buffers <= BEST_FEW_BUFFERS,
                        .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                        .error = error};
    best.kind = best.are_few ? BEST_FEW : BEST_MANY;
    enum status status = run(&best);
    best_parts_free(&best); /* which counts what the exact searches did */
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
