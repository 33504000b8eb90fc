/* Ours: a descent over ranks of the buffers. Ranks become an order by a dive from the bottom up
   (dive.h), and the order a plan by first fit. It starts from eight orders of the table under each
   rule of the dive; then again and again from a random one of these. It exchanges a few ranks at a
   time, mostly of buffers live at the step at which the last dive rose too high, and accepts
   changes by late acceptance (Burke and Bykov, "The late acceptance hill-climbing heuristic", EJOR
   258, 2017). What sections say about which buffer is next is Moffitt's (MiniMalloc, ASPLOS 2023),
   turned from a search for a capacity into one that minimises.

   Where the problem has clocks alone there are no sections, and clock_descent_run descends over
   orders instead.

   plan->measures.nodes counts dives and orders. */

#include <assert.h>
#include <string.h>

#include "core/random.h"
#include "core/sort.h"
#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "heuristics/ours/dive.h"
#include "heuristics/ours/trials.h"

enum { UNLIMITED_PLACEMENTS = 1 << 18, MOST_EXCHANGES = 4 };

static const char *const clock_starts[] = {"size",          "area",       "conflicts_size",
                                           "duration_size", "birth_size", "conflicts_times_size"};

struct orders {
    struct trials *trials;
    struct random_state random;
    uint32_t *best, *tried; /* [buffers] the movable ones first */
    struct error *error;
};

static enum status try_order(struct orders *orders, bool *better)
{
    TRY(trials_try(orders->trials, orders->tried, better, orders->error));
    if (*better)
        memcpy(orders->best, orders->tried,
               orders->trials->problem->buffers * sizeof *orders->best);
    return STATUS_OK;
}

/* Brings the buffer that ends highest, of several the first, to an earlier place in the best order,
   and exchanges some others. */
static void change_order(struct orders *orders)
{
    const struct trials *trials = orders->trials;
    uint32_t movables = trials->movables, highest = 0, *tried = orders->tried;
    uint64_t most = 0;
    assert(movables > 0);
    for (uint32_t i = 0; i < movables; i++) {
        uint32_t b = orders->best[i];
        uint64_t end = trials->plan->offset[b] + trials->problem->size[b];
        highest = end > most ? i : highest;
        most = end > most ? end : most;
    }
    uint32_t earlier = (uint32_t)random_below(&orders->random, (uint64_t)highest + 1);
    memcpy(tried, orders->best, trials->problem->buffers * sizeof *tried);
    memmove(tried + earlier + 1, orders->best + earlier, (highest - earlier) * sizeof *tried);
    tried[earlier] = orders->best[highest];
    for (uint64_t left = random_below(&orders->random, MOST_EXCHANGES); left > 0; left--) {
        uint64_t b = random_below(&orders->random, movables);
        uint64_t a = random_below(&orders->random, movables);
        uint32_t buffer = tried[a];
        tried[a] = tried[b];
        tried[b] = buffer;
    }
}

/* The descent for problems of clocks alone. These have no sections to dive by, so it tries orders
   themselves. It begins with the best of those orders that need no line of steps. Each trial moves
   the buffer that ends highest to an earlier position in the best order, makes some other
   exchanges, and keeps the order if its peak is lower. It ends when the trials are over, or when
   `iterations` iterations in a row found no lower peak; without a time limit that is at most as
   many iterations as place some 10^5 buffers. */
static enum status clock_descent_run(const struct planner_task *task, struct trials *trials,
                                     uint64_t iterations, struct error *error)
{
    struct orders orders = {.trials = trials, .random = random_seed(task->seed), .error = error};
    const struct problem *problem = trials->problem;
    uint64_t unlimited = 1 + UNLIMITED_PLACEMENTS / ((uint64_t)problem->buffers + 1);
    bool better;
    TRY(scratch_take_all(task->scratch, problem->buffers, error, &orders.best, &orders.tried));
    for (size_t i = 0; i < sizeof clock_starts / sizeof *clock_starts && !trials_are_over(trials);
         i++) {
        TRY(order_sort(order_find(clock_starts[i]), problem, task->seed, orders.tried, error));
        order_drop_fixed(problem, orders.tried);
        TRY(try_order(&orders, &better));
    }
    if (task->time_limit_ns == UINT64_MAX && unlimited < iterations)
        iterations = unlimited;
    for (uint64_t idle = 0; trials->movables && idle < iterations && !trials_are_over(trials);
         idle++) {
        change_order(&orders);
        TRY(try_order(&orders, &better));
        if (better)
            idle = 0;
    }
    return STATUS_OK;
}

static const struct planner_option options[] = {
    {"history", "accepted is what is not above the peak of this many iterations ago", 3, 1, 100000},
    {"patience", "iterations without a lower peak before it starts again", 100, 1, 1000000000},
    {"exchanges", "the most pairs of ranks exchanged in an iteration", 10, 1, 1000},
    {"turns", "dives without a better plan before it ends", 50000, 1, 1000000000},
    {NULL, NULL, 0, 0, 0},
};

enum { HISTORY, PATIENCE, EXCHANGES, TURNS };

static const char *const starts[] = {"duration_size", "size_duration",       "area",
                                     "urgency",       "conflicts_size",      "breadth",
                                     "birth_size",    "conflicts_times_size"};

enum { STARTS = sizeof starts / sizeof *starts };

struct descent {
    const struct planner *planner;
    const struct planner_task *task;
    struct trials trials;
    struct dive *dive;
    struct random_state random;
    enum dive_rule rule;         /* the rule of the present start */
    uint32_t *start[STARTS + 1]; /* [buffers] the ranks that each of the starting orders gives,
                                  and a plan that was given */
    uint32_t *rank;              /* [buffers] the ranks at which the search stands */
    uint32_t
        *exchanged;  /* [2 * exchanges] the buffers whose ranks were exchanged in this iteration */
    uint32_t *order; /* [buffers] the order that the last dive made of the movable buffers */
    uint64_t *history; /* [history] the peaks of the last iterations, for late acceptance */
    /* Number of dives so far, and number of the dive that gave the best plan. */
    uint64_t dives, best_dive;
    uint64_t peak_bytes; /* peak of the dive by `rank` */
    struct error *error;
};

static bool is_over(const struct descent *descent)
{
    return trials_are_over(&descent->trials) ||
           descent->dives - descent->best_dive >= planner_option_value(descent->planner, TURNS);
}

/* Dives with the present ranks. *peak_bytes is UINT64_MAX where the peak is above the limit. A dive
   whose peak is near that of the best plan is made into a plan by first fit, whose peak is seldom
   higher than that of the dive and often lower. */
static enum status dive_below(struct descent *descent, uint64_t limit_bytes, uint64_t *peak_bytes)
{
    const struct dive_task task = {descent->rule, descent->rank, limit_bytes, descent->order,
                                   descent->trials.deadline_ns};
    uint64_t best_bytes = descent->trials.best_bytes;
    bool better;
    *peak_bytes = dive_order(descent->dive, &task);
    descent->dives++;
    if (*peak_bytes >= best_bytes + best_bytes / 16)
        return STATUS_OK;
    TRY(trials_try(&descent->trials, descent->order, &better, descent->error));
    if (better)
        descent->best_dive = descent->dives;
    return STATUS_OK;
}

/* Starts from the ranks of one of the starting orders. The first calls go through all orders under
   each rule, in the order of the tables; after that both are drawn at random. */
static enum status restart(struct descent *descent, uint64_t number)
{
    uint64_t start = number % STARTS;
    descent->rule = (enum dive_rule)(number / STARTS);
    if (number >= STARTS * DIVE_RULES) {
        /* A plan that was given counts as much as all orders together. */
        start = random_below(&descent->random, descent->task->start ? 2 * STARTS : STARTS);
        start = start < STARTS ? start : STARTS;
        descent->rule = (enum dive_rule)random_below(&descent->random, DIVE_RULES);
    }
    memcpy(descent->rank, descent->start[start],
           descent->task->problem->buffers * sizeof *descent->rank);
    TRY(dive_below(descent, UINT64_MAX, &descent->peak_bytes));
    for (uint64_t i = 0; i < planner_option_value(descent->planner, HISTORY); i++)
        descent->history[i] = descent->peak_bytes;
    return STATUS_OK;
}

static void exchange(struct descent *descent, uint32_t a, uint32_t b)
{
    uint32_t rank = descent->rank[a];
    descent->rank[a] = descent->rank[b];
    descent->rank[b] = rank;
}

/* One iteration of late acceptance, after Burke and Bykov: exchanges ranks, and accepts the result
   if its peak is not above the present one or not above that of some iterations ago. */
static enum status try_iteration(struct descent *descent, uint64_t iteration)
{
    struct random_state *random = &descent->random;
    uint64_t *late = &descent->history[iteration % planner_option_value(descent->planner, HISTORY)];
    uint64_t limit = *late > descent->peak_bytes ? *late : descent->peak_bytes, peak;
    uint64_t most = planner_option_value(descent->planner, EXCHANGES);
    uint32_t exchanged = 2 * (1 + (uint32_t)random_below(random, most));
    for (uint32_t i = 0; i < exchanged; i += 2) {
        /* Two buffers of a section, three times out of four the one at which the last dive failed,
           else any. Where all of them are fixed, both are buffer 0, and nothing changes. */
        const uint32_t *member;
        uint32_t section = random_below(random, 4)
                               ? dive_failed(descent->dive)
                               : (uint32_t)random_below(random, dive_sections(descent->dive));
        uint32_t count = dive_members(descent->dive, section, &member);
        for (uint32_t k = 0; k < 2; k++)
            descent->exchanged[i + k] = count ? member[random_below(random, count)] : 0U;
        exchange(descent, descent->exchanged[i], descent->exchanged[i + 1]);
    }
    TRY(dive_below(descent, limit, &peak));
    for (uint32_t i = exchanged; peak == UINT64_MAX && i > 0; i -= 2)
        exchange(descent, descent->exchanged[i - 2], descent->exchanged[i - 1]);
    if (peak != UINT64_MAX)
        descent->peak_bytes = peak;
    *late = descent->peak_bytes;
    return STATUS_OK;
}

/* Makes ranks of the order in descent->order, which a plan is made of as well if it is tried. */
static enum status fill_start(struct descent *descent, uint32_t index, bool is_tried)
{
    const struct problem *problem = descent->task->problem;
    bool better;
    TRY(scratch_take(descent->task->scratch, &descent->start[index], problem->buffers,
                     sizeof(uint32_t), descent->error));
    uint32_t movables = order_drop_fixed(problem, descent->order);
    for (uint32_t k = 0; k < movables; k++)
        descent->start[index][descent->order[k]] = k;
    return is_tried ? trials_try(&descent->trials, descent->order, &better, descent->error)
                    : STATUS_OK;
}

static enum status add_start(struct descent *descent, uint32_t index)
{
    const struct planner_task *task = descent->task;
    TRY(order_sort(order_find(starts[index]), task->problem, task->seed, descent->order,
                   descent->error));
    return fill_start(descent, index, !task->start);
}

/* What there has to be before the first dive: a plan and, where one was given, all starts. */
static enum status fill_starts(struct descent *descent)
{
    const struct problem *problem = descent->task->problem;
    const struct plan *start = descent->task->start;
    if (start) {
        const struct sort_key key[SORT_MOST_KEYS] = {{SORT_ARRAY(start->offset)}};
        TRY(sort_by_keys(key, NULL, problem->buffers, descent->order, descent->error));
        TRY(fill_start(descent, STARTS, true));
    }
    for (uint32_t i = 0; i < (start ? STARTS : 1) && !trials_are_over(&descent->trials); i++)
        TRY(add_start(descent, i));
    return STATUS_OK;
}

/* Starts again and again; once all orders were started from under each rule, it goes on from there
   until `patience` iterations in a row found no lower peak. */
static enum status run_dives(struct descent *descent)
{
    uint64_t patience = planner_option_value(descent->planner, PATIENCE);
    for (uint64_t number = descent->task->start ? STARTS * DIVE_RULES : 0; !is_over(descent);
         number++) {
        if (number && number < STARTS)
            TRY(add_start(descent, (uint32_t)number));
        TRY(restart(descent, number));
        if (number < STARTS * DIVE_RULES)
            continue;
        uint64_t lowest = descent->peak_bytes;
        for (uint64_t iteration = 0, idle = 0; idle < patience && !is_over(descent);
             iteration++, idle++) {
            TRY(try_iteration(descent, iteration));
            if (descent->peak_bytes < lowest) {
                lowest = descent->peak_bytes;
                idle = 0;
            }
        }
    }
    return STATUS_OK;
}

static void free_descent(struct descent *descent)
{
    descent->trials.plan->measures.nodes += descent->dives;
    dive_free(descent->dive);
    placer_free(descent->trials.placer);
}

static enum status plan_by_descent(const struct planner *planner, const struct planner_task *task,
                                   struct plan *plan, struct error *error)
{
    SCOPED(free_descent)
    struct descent descent = {.planner = planner,
                              .task = task,
                              .trials = {.plan = plan},
                              .random = random_seed(task->seed),
                              .error = error};
    const struct problem *problem = task->problem;
    uint32_t buffers = problem->buffers;
    uint64_t exchanges = planner_option_value(planner, EXCHANGES);
    uint64_t history = planner_option_value(planner, HISTORY);
    struct scratch *scratch = task->scratch;
    TRY(trials_create(task, plan, &descent.trials, error));
    TRY(scratch_take_all(scratch, buffers, error, &descent.rank, &descent.order));
    TRY(scratch_take(scratch, &descent.exchanged, 2 * exchanges, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &descent.history, history, sizeof *descent.history, error));
    if (problem_is_by_clocks(problem)) {
        uint64_t iterations = planner_option_value(planner, TURNS);
        TRY(clock_descent_run(task, &descent.trials, iterations, error));
    } else {
        TRY(fill_starts(&descent));
    }
    if (!problem_is_by_clocks(problem) && !trials_are_over(&descent.trials)) {
        TRY(dive_create(problem, DIVE_LIST_BYTES, &descent.dive, scratch, error));
        TRY(run_dives(&descent));
    }
    return plan_set_feasible(plan, problem, error);
}

static const struct planner rows[] = {
    {.name = "descent",
     .family = "ours",
     .title = "local search over ranks that are placed from the bottom up",
     .source = "ours: heuristics/ours/descent.c",
     .flags = PLANNER_NO_WINDOWS | PLANNER_SEARCHES | PLANNER_RANDOMISED | PLANNER_CLOCKS,
     .options = options,
     .plan = plan_by_descent},
};

HEURISTICS_ROWS(descent, rows);
