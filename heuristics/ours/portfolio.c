#include "heuristics/ours/portfolio.h"

#include <assert.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/problem/bounds.h"

const struct planner_option portfolio_options[] = {
    {"descents", "after the quick rules, each with a seed of its own; 0 for none", 1, 0, 256},
    {NULL, NULL, 0, 0, 0},
};

enum { DESCENTS };

struct entry {
    const struct planner *planner;
    uint64_t seed;
    struct plan *plan; /* or NULL where the time was up before it */
    enum status status;
    struct error error;
};

struct portfolio {
    const struct planner_task *task;
    uint64_t deadline_ns, bound_bytes;
    struct entry *entry; /* [count] */
    uint32_t count;
    uint32_t optimal; /* the first entry that is known to be at the bound, or count */
};

/* The first entry always gets its turn, so that there is a plan. */
static bool is_wanted(struct portfolio *portfolio, uint32_t index)
{
    uint32_t optimal;
#pragma omp atomic read
    optimal = portfolio->optimal;
    return index < optimal && (!index || clock_left_ns(portfolio->deadline_ns));
}

static void note_optimal(struct portfolio *portfolio, uint32_t index)
{
    const struct plan *plan = portfolio->entry[index].plan;
    if (!plan_found(plan) || plan->measures.peak_bytes > portfolio->bound_bytes)
        return;
#pragma omp critical(portfolio_optimal)
    {
        if (index < portfolio->optimal) {
#pragma omp atomic write
            portfolio->optimal = index;
        }
    }
}

static enum status run_entry(struct portfolio *portfolio, uint32_t index)
{
    struct entry *entry = &portfolio->entry[index];
    struct planner_task task = *portfolio->task;
    task.threads = 1;
    task.seed = entry->seed;
    task.time_limit_ns = clock_left_ns(portfolio->deadline_ns);
    TRY(plan_create(task.problem, &entry->plan, &entry->error));
    TRY(entry->planner->plan(entry->planner, &task, entry->plan, &entry->error));
    note_optimal(portfolio, index);
    return STATUS_OK;
}

static void run_entries(struct portfolio *portfolio, uint32_t first, uint32_t end)
{
    uint32_t threads = portfolio->task->threads > 1 ? portfolio->task->threads : 1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (uint32_t i = first; i < end; i++)
        if (is_wanted(portfolio, i))
            portfolio->entry[i].status = run_entry(portfolio, i);
}

static enum status take_best(const struct portfolio *portfolio, struct plan *plan,
                             struct error *error)
{
    const struct plan *best = NULL;
    for (uint32_t i = 0; i < portfolio->count; i++) {
        const struct entry *entry = &portfolio->entry[i];
        if (entry->status) {
            *error = entry->error;
            return entry->status;
        }
        if (!entry->plan)
            continue;
        plan->measures.nodes += entry->plan->measures.nodes;
        if (plan_found(entry->plan) &&
            (!best || entry->plan->measures.peak_bytes < best->measures.peak_bytes))
            best = entry->plan;
    }
    plan->status = PLAN_TIMEOUT;
    if (best)
        plan_take(plan, best);
    return STATUS_OK;
}

static enum status fill_entries(struct portfolio *portfolio, const struct portfolio_rule *rule,
                                uint32_t descents, struct error *error)
{
    uint64_t seed = portfolio->task->seed;
    assert(rule->quick_count > 0);
    uint32_t count = rule->quick_count + descents;
    TRY(memory_create(&portfolio->entry, count, sizeof *portfolio->entry, error));
    for (uint32_t i = 0; i < rule->quick_count; i++)
        portfolio->entry[i] = (struct entry){.planner = rule->find(rule->quick[i]), .seed = seed};
    for (uint32_t i = 0; i < descents; i++)
        portfolio->entry[rule->quick_count + i] =
            (struct entry){.planner = rule->find(rule->descent), .seed = seed + i};
    portfolio->count = portfolio->optimal = count;
    return STATUS_OK;
}

enum status portfolio_plan(const struct planner *planner, const struct planner_task *task,
                           struct plan *plan, struct error *error)
{
    const struct portfolio_rule *rule = planner->rule;
    uint32_t descents = (uint32_t)planner_option_value(planner, DESCENTS);
    struct portfolio portfolio = {.task = task,
                                  .deadline_ns = clock_deadline_ns(task->time_limit_ns)};
    enum status status;
    TRY_OR_DONE(status, bound_peak(task->problem, &portfolio.bound_bytes, error));
    TRY_OR_DONE(status, fill_entries(&portfolio, rule, descents, error));
    run_entries(&portfolio, 0, rule->quick_count);
    run_entries(&portfolio, rule->quick_count, portfolio.count);
    TRY_OR_DONE(status, take_best(&portfolio, plan, error));
done:
    for (uint32_t i = 0; portfolio.entry && i < portfolio.count; i++)
        plan_free(portfolio.entry[i].plan);
    memory_free(portfolio.entry);
    return status;
}
