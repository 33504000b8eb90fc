#include "heuristics/ours/portfolio.h"

#include <assert.h>
#include <pthread.h>

#include "core/clock.h"
#include "core/parallel.h"
#include "planning/problem/bounds.h"

const struct planner_option portfolio_options[] = {
    {"descents", "after the quick rules, each with a seed of its own; 0 for none", 1, 0, 256},
    {"quick", "whether it begins with the quick rules", 1, 0, 1},
    {"only", "which one of the quick rules it begins with; 0 for all of them", 0, 0,
     PORTFOLIO_QUICK},
    {NULL, NULL, 0, 0, 0},
};

enum { DESCENTS, QUICK, ONLY };

struct entry {
    const struct planner *planner;
    uint64_t seed, nodes;
    enum status status;
    struct error error;
};

struct portfolio {
    const struct planner_task *task;
    uint64_t deadline_ns, bound_bytes;
    struct entry *entry; /* [count] */
    /* The first `quick` entries are the quick ones, which end before the others begin. */
    uint32_t count, quick;
    pthread_mutex_t lock; /* of what follows, which changes while entries run */
    /* The first entry whose plan is known to be at the bound; count for none. */
    _Atomic uint32_t optimal;
    uint32_t best;               /* the entry whose plan is in `plan`; count for none */
    _Atomic uint64_t slowest_ns; /* the longest time that a quick entry took so far */
    struct plan *plan;
};

/* Whether an entry should still run. The first one always does, so that there is a plan. Quick
   planners do not look at the clock, nor does the descent of clocks alone before its first order is
   placed, so one begins only if there is time for another one like the slowest so far. */
static bool is_wanted(struct portfolio *portfolio, uint32_t index)
{
    uint64_t needed_ns = 0;
    if (index < portfolio->quick || problem_is_by_clocks(portfolio->task->problem))
        needed_ns = portfolio->slowest_ns;
    return index < portfolio->optimal &&
           (!index || clock_left_ns(portfolio->deadline_ns) > needed_ns);
}

/* Keeps a plan that is better than the best one, of equals that of the first entry. */
static void take_plan(struct portfolio *portfolio, const struct plan *plan, uint32_t index)
{
    uint64_t peak_bytes = plan->measures.peak_bytes;
    if (!plan_found(plan))
        return;
    pthread_mutex_lock(&portfolio->lock);
    uint64_t best_bytes = portfolio->plan->measures.peak_bytes;
    if (portfolio->best == portfolio->count || peak_bytes < best_bytes ||
        (peak_bytes == best_bytes && index < portfolio->best)) {
        plan_take(portfolio->plan, plan);
        portfolio->best = index;
    }
    if (peak_bytes <= portfolio->bound_bytes && index < portfolio->optimal)
        portfolio->optimal = index;
    pthread_mutex_unlock(&portfolio->lock);
}

static enum status run_entry(struct portfolio *portfolio, uint32_t index)
{
    struct entry *entry = &portfolio->entry[index];
    struct planner_task task = *portfolio->task;
    SCOPED(plan_release) struct plan *plan = NULL;
    task.threads = 1;
    task.seed = entry->seed;
    task.time_limit_ns = clock_left_ns(portfolio->deadline_ns);
    TRY(plan_create(task.problem, &plan, &entry->error));
    TRY(planner_plan(entry->planner, &task, plan, &entry->error));
    entry->nodes = plan->measures.nodes;
    take_plan(portfolio, plan, index);
    return STATUS_OK;
}

static void try_entry(void *context, uint32_t index)
{
    struct portfolio *portfolio = context;
    uint64_t began_ns = clock_monotonic_ns();
    if (!is_wanted(portfolio, index))
        return;
    portfolio->entry[index].status = run_entry(portfolio, index);
    uint64_t took_ns = clock_monotonic_ns() - began_ns;
    pthread_mutex_lock(&portfolio->lock);
    if (took_ns > portfolio->slowest_ns)
        portfolio->slowest_ns = took_ns;
    pthread_mutex_unlock(&portfolio->lock);
}

static void try_descent(void *context, uint32_t index)
{
    try_entry(context, ((const struct portfolio *)context)->quick + index);
}

static void end_portfolio(struct portfolio *portfolio)
{
    pthread_mutex_destroy(&portfolio->lock);
}

enum status portfolio_plan(const struct planner *planner, const struct planner_task *task,
                           struct plan *plan, struct error *error)
{
    const struct portfolio_rule *rule = planner->rule;
    uint32_t descents = (uint32_t)planner_option_value(planner, DESCENTS);
    uint32_t only = (uint32_t)planner_option_value(planner, ONLY);
    uint32_t quick = planner_option_value(planner, QUICK) ? rule->quick_count : 0;
    uint32_t first = only && only <= quick ? only - 1 : 0;
    if (only && quick)
        quick = 1;
    uint32_t count = quick + descents;
    SCOPED(end_portfolio)
    struct portfolio portfolio = {.task = task,
                                  .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                                  .count = count,
                                  .quick = quick,
                                  .lock = PTHREAD_MUTEX_INITIALIZER,
                                  .optimal = count,
                                  .best = count,
                                  .plan = plan};
    plan->status = PLAN_TIMEOUT;
    TRY(bound_peak(task->problem, &portfolio.bound_bytes, error));
    TRY(scratch_take(task->scratch, &portfolio.entry, count, sizeof *portfolio.entry, error));
    for (uint32_t i = 0; i < count; i++) {
        struct entry *entry = &portfolio.entry[i];
        entry->planner = rule->find(i < quick ? rule->quick[first + i] : rule->descent);
        assert(entry->planner);
        entry->seed = i < quick ? task->seed : task->seed + (i - quick);
    }
    parallel_run(task->threads, quick, try_entry, &portfolio);
    parallel_run(task->threads, descents, try_descent, &portfolio);
    for (uint32_t i = 0; i < count; i++) {
        const struct entry *entry = &portfolio.entry[i];
        if (entry->status) {
            *error = entry->error;
            return entry->status;
        }
        plan->measures.nodes += entry->nodes;
    }
    return STATUS_OK;
}
