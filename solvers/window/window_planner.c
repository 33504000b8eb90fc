/* The planner `window_search`, see window_search.h: a first plan, then attempt after attempt.
   Clocks alone have no line of steps and so no windows: there it gives the best quick plan. */

#include "core/clock.h"
#include "solvers/exact/quick_plans.h"
#include "solvers/exact/solve.h"
#include "solvers/window/window_search.h"

static const struct planner_option options[] = {
    {"share", "windows are hot at first from so many thousandths of the capacity on", WINDOW_SHARE,
     1, 1000},
    {"step", "by so many thousandths less with each turn", WINDOW_STEP, 1, 1000},
    {"turns", "at a capacity in the first cycle; two more in each later one", WINDOW_TURNS, 1, 100},
    {"cycles", "of more and more effort, where no time limit ends them", 6, 1, 62},
    {NULL, NULL, 0, 0, 0},
};

enum { SHARE, STEP, TURNS, CYCLES };

struct call {
    const struct planner *planner;
    struct exact_incumbent incumbent;
    uint64_t deadline_ns;
    struct error *error;
};

static bool is_over(const struct call *call)
{
    return exact_incumbent_is_solved(&call->incumbent) || !clock_left_ns(call->deadline_ns);
}

/* An attempt may take a part of what is left of the time, so that one at a capacity that is beyond
   reach leaves some for the next. */
static uint64_t find_limit_ns(const struct call *call)
{
    uint64_t left_ns = clock_left_ns(call->deadline_ns);
    return left_ns == UINT64_MAX ? UINT64_MAX : left_ns / 3;
}

static enum status search_windows(struct call *call)
{
    const struct planner *planner = call->planner;
    const struct planner_task *task = call->incumbent.task;
    const struct window_options values = {.share = planner_option_value(planner, SHARE),
                                          .step = planner_option_value(planner, STEP),
                                          .turns = planner_option_value(planner, TURNS),
                                          .threads = task->threads > 1 ? task->threads : 1,
                                          .most_pairs = EXACT_MOST_PAIRS,
                                          .deadline_ns = call->deadline_ns};
    uint64_t cycles = planner_option_value(planner, CYCLES);
    struct window_search *search;
    bool advanced = true;
    enum status status = STATUS_OK;
    TRY(window_search_create(&call->incumbent, &values, &search, call->error));
    while (!status && advanced &&
           (call->deadline_ns != UINT64_MAX || window_search_cycle(search) < cycles))
        status = window_search_advance(search, find_limit_ns(call), &advanced);
    window_search_free(search);
    return status;
}

static enum status plan_by_windows(const struct planner *planner, const struct planner_task *task,
                                   struct plan *plan, struct error *error)
{
    struct call call = {.planner = planner,
                        .incumbent = {.task = task, .plan = plan, .began_ns = clock_monotonic_ns()},
                        .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                        .error = error};
    TRY(exact_quick_plans_begin(&call.incumbent, error));
    if (!is_over(&call) && !call.incumbent.is_hurried)
        TRY(problem_is_by_clocks(task->problem)
                ? exact_quick_plans_try(&call.incumbent, EXACT_QUICK_PLANS, error)
                : search_windows(&call));
    exact_incumbent_set_status(&call.incumbent);
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
