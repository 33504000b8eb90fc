#include "heuristics/ours/portfolio.h"

#include <assert.h>

#include "core/clock.h"
#include "planning/problem/bounds.h"

const struct planner_option portfolio_options[] = {
    {"descents", "after the quick rules, each with a seed of its own; 0 for none", 1, 0, 256},
    {"quick", "whether it begins with the quick rules", 1, 0, 1},
    {NULL, NULL, 0, 0, 0},
};

enum { DESCENTS, QUICK };

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
    uint32_t optimal; /* the first entry whose plan is known to be at the bound; count for none */
    uint32_t best;    /* the entry whose plan is in `plan`; count for none */
    uint64_t slowest_ns; /* the longest time that a quick entry took so far */
    struct plan *plan;
};

/* Whether an entry should still run. The first one always does, so that there is a plan. Quick
   planners do not look at the clock, nor does the descent of clocks alone before its first order is
   placed, so one begins only if there is time for another one like the slowest so far. */
static bool is_wanted(struct portfolio *portfolio, uint32_t index)
{
    uint32_t optimal;
    uint64_t needed_ns = 0;
#pragma omp atomic read
    optimal = portfolio->optimal;
    if (index < portfolio->quick || portfolio->task->problem->clocks_alone) {
#pragma omp atomic read
        needed_ns = portfolio->slowest_ns;
    }
    return index < optimal && (!index || clock_left_ns(portfolio->deadline_ns) > needed_ns);
}

static void note_time(struct portfolio *portfolio, uint64_t took_ns)
{
#pragma omp critical(portfolio_slowest)
    {
        if (took_ns > portfolio->slowest_ns) {
#pragma omp atomic write
            portfolio->slowest_ns = took_ns;
        }
    }
}

static bool is_better(const struct portfolio *portfolio, const struct plan *plan, uint32_t index)
{
    uint64_t peak_bytes = plan->measures.peak_bytes;
    if (portfolio->best == portfolio->count)
        return true;
    return peak_bytes < portfolio->plan->measures.peak_bytes ||
           (peak_bytes == portfolio->plan->measures.peak_bytes && index < portfolio->best);
}

static void take_plan(struct portfolio *portfolio, const struct plan *plan, uint32_t index)
{
    if (!plan_found(plan))
        return;
#pragma omp critical(portfolio_take)
    {
        if (is_better(portfolio, plan, index)) {
            plan_take(portfolio->plan, plan);
            portfolio->best = index;
        }
        if (plan->measures.peak_bytes <= portfolio->bound_bytes && index < portfolio->optimal) {
#pragma omp atomic write
            portfolio->optimal = index;
        }
    }
}

static enum status run_entry(struct portfolio *portfolio, uint32_t index)
{
    struct entry *entry = &portfolio->entry[index];
    struct planner_task task = *portfolio->task;
    struct plan *plan;
    enum status status;
    task.threads = 1;
    task.seed = entry->seed;
    task.time_limit_ns = clock_left_ns(portfolio->deadline_ns);
    TRY(plan_create(task.problem, &plan, &entry->error));
    TRY_OR_DONE(status, planner_plan(entry->planner, &task, plan, &entry->error));
    entry->nodes = plan->measures.nodes;
    take_plan(portfolio, plan, index);
done:
    plan_free(plan);
    return status;
}

static void run_entries(struct portfolio *portfolio, uint32_t first, uint32_t end)
{
    uint32_t threads = portfolio->task->threads > 1 ? portfolio->task->threads : 1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (uint32_t i = first; i < end; i++) {
        uint64_t began_ns = clock_monotonic_ns();
        if (!is_wanted(portfolio, i))
            continue;
        portfolio->entry[i].status = run_entry(portfolio, i);
        note_time(portfolio, clock_monotonic_ns() - began_ns);
    }
}

static enum status count_nodes(const struct portfolio *portfolio, struct error *error)
{
    for (uint32_t i = 0; i < portfolio->count; i++) {
        const struct entry *entry = &portfolio->entry[i];
        if (entry->status) {
            *error = entry->error;
            return entry->status;
        }
        portfolio->plan->measures.nodes += entry->nodes;
    }
    return STATUS_OK;
}

static enum status fill_entries(struct portfolio *portfolio, const struct planner *planner,
                                struct error *error)
{
    const struct portfolio_rule *rule = planner->rule;
    uint64_t seed = portfolio->task->seed;
    uint32_t descents = (uint32_t)planner_option_value(planner, DESCENTS);
    assert(rule->quick_count > 0);
    portfolio->quick = planner_option_value(planner, QUICK) ? rule->quick_count : 0;
    portfolio->count = portfolio->quick + descents;
    portfolio->optimal = portfolio->best = portfolio->count;
    TRY(scratch_take(portfolio->task->scratch, &portfolio->entry, portfolio->count,
                     sizeof *portfolio->entry, error));
    for (uint32_t i = 0; i < portfolio->quick; i++)
        portfolio->entry[i] = (struct entry){.planner = rule->find(rule->quick[i]), .seed = seed};
    for (uint32_t i = 0; i < descents; i++)
        portfolio->entry[portfolio->quick + i] =
            (struct entry){.planner = rule->find(rule->descent), .seed = seed + i};
    return STATUS_OK;
}

enum status portfolio_plan(const struct planner *planner, const struct planner_task *task,
                           struct plan *plan, struct error *error)
{
    struct portfolio portfolio = {
        .task = task, .deadline_ns = clock_deadline_ns(task->time_limit_ns), .plan = plan};
    plan->status = PLAN_TIMEOUT;
    TRY(bound_peak(task->problem, &portfolio.bound_bytes, error));
    TRY(fill_entries(&portfolio, planner, error));
    run_entries(&portfolio, 0, portfolio.quick);
    run_entries(&portfolio, portfolio.quick, portfolio.count);
    return count_nodes(&portfolio, error);
}
