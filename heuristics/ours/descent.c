/* Ours: a descent over ranks of the buffers. Ranks become an order by a dive from the bottom up
   (dive.h), and the order a plan by first fit. It starts from eight orders of the table under each
   rule of the dive; then again and again from one by chance, from where it exchanges a few ranks at
   a time, mostly of buffers live at the step at which the last dive rose too high, and keeps what
   late acceptance keeps (Burke and Bykov, "The late acceptance hill-climbing heuristic", EJOR 258,
   2017). What sections say about which buffer is next is Moffitt's (MiniMalloc, ASPLOS 2023),
   turned from a search for a capacity into one that minimises.

   plan->nodes counts dives and orders. Where the sections have too many members for dives, only the
   first fit plans of the eight orders are made. */

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "heuristics/common/rows.h"
#include "heuristics/order_search/evaluate.h"
#include "heuristics/order_search/order_search.h"
#include "heuristics/ours/dive.h"

static const struct planner_option options[] = {
    {"history", "accepted is what is not above the peak of this many turns ago", 3, 1, 100000},
    {"patience", "turns without a lower peak before it starts anew", 100, 1, 1000000000},
    {"exchanges", "the most pairs of ranks exchanged in a turn", 10, 1, 1000},
    {"turns", "dives without a better plan before it ends", 50000, 1, 1000000000},
    {NULL, NULL, 0, 0, 0},
};

enum { HISTORY, PATIENCE, EXCHANGES, TURNS };

static const char *const starts[] = {"duration_size", "size_duration",       "area",
                                     "urgency",       "conflicts_size",      "breadth",
                                     "birth_size",    "conflicts_times_size"};

enum { STARTS = sizeof starts / sizeof *starts };

struct descent {
    struct order_search *search;
    struct dive *dive;
    enum dive_rule rule;       /* of this start */
    uint32_t *start[STARTS];   /* [buffers] ranks by the orders */
    uint32_t *rank;            /* [buffers] where the search stands */
    uint32_t *exchanged;       /* [2 * exchanges] buffers of this turn */
    uint32_t *order;           /* [movables] of the last dive */
    uint64_t *history;         /* [history] peaks */
    uint64_t dives, best_dive; /* how many, and which one gave the best plan */
    uint64_t peak_bytes;       /* of the dive by rank */
};

/* A plan by first fit in the order of a dive is seldom higher than the dive, often lower. */
static void keep_dive(struct descent *descent)
{
    struct order_search *search = descent->search;
    uint64_t peak =
        order_search_evaluate(search, descent->order, 0, search->best_bytes - 1, search->candidate);
    if (peak == EVALUATE_ABOVE)
        return;
    order_search_keep(search, peak, search->candidate);
    descent->best_dive = descent->dives;
}

static bool is_over(const struct descent *descent)
{
    uint64_t turns = planner_option_value(descent->search->planner, TURNS);
    return order_search_is_over(descent->search) || descent->dives - descent->best_dive >= turns;
}

static uint64_t dive_below(struct descent *descent, uint64_t limit_bytes)
{
    struct order_search *search = descent->search;
    uint64_t peak =
        dive_order(descent->dive, descent->rule, descent->rank, limit_bytes, descent->order);
    descent->dives++;
    if (peak < search->best_bytes + search->best_bytes / 16)
        keep_dive(descent);
    return peak;
}

/* Every start of every rule comes first, in the order of the tables; later ones by chance. */
static void start_anew(struct descent *descent, uint64_t number)
{
    struct order_search *search = descent->search;
    uint64_t start = number % STARTS;
    descent->rule = (enum dive_rule)(number / STARTS);
    if (number >= STARTS * DIVE_RULES) {
        start = random_below(&search->random, STARTS);
        descent->rule = (enum dive_rule)random_below(&search->random, DIVE_RULES);
    }
    memcpy(descent->rank, descent->start[start], search->plan->buffers * sizeof *descent->rank);
    descent->peak_bytes = dive_below(descent, UINT64_MAX);
    for (uint64_t i = 0; i < planner_option_value(search->planner, HISTORY); i++)
        descent->history[i] = descent->peak_bytes;
}

static void exchange(struct descent *descent, uint32_t a, uint32_t b)
{
    uint32_t rank = descent->rank[a];
    descent->rank[a] = descent->rank[b];
    descent->rank[b] = rank;
}

/* Draws a section, three times of four the one at which the last dive failed. */
static uint32_t pick_section(struct descent *descent)
{
    struct random_state *random = &descent->search->random;
    if (random_below(random, 4))
        return descent->dive->failed;
    return (uint32_t)random_below(random, descent->dive->sections->count);
}

static uint32_t exchange_some(struct descent *descent)
{
    const struct sections *sections = descent->dive->sections;
    struct random_state *random = &descent->search->random;
    uint32_t most = (uint32_t)planner_option_value(descent->search->planner, EXCHANGES);
    uint32_t pairs = 1 + (uint32_t)random_below(random, most);
    for (uint32_t i = 0; i < 2 * pairs; i += 2) {
        uint32_t s = pick_section(descent);
        uint64_t count = sections->first[s + 1] - sections->first[s];
        for (uint32_t k = i; k < i + 2; k++)
            descent->exchanged[k] =
                sections->member[sections->first[s] + random_below(random, count)];
        exchange(descent, descent->exchanged[i], descent->exchanged[i + 1]);
    }
    return pairs;
}

static void take_back(struct descent *descent, uint32_t pairs)
{
    assert(2 * pairs <= 2 * planner_option_value(descent->search->planner, EXCHANGES));
    for (uint32_t i = 2 * pairs; i > 0; i -= 2)
        exchange(descent, descent->exchanged[i - 2], descent->exchanged[i - 1]);
}

/* Burke and Bykov's late acceptance: not above the present peak, or not above that of some turns
   ago. */
static void try_turn(struct descent *descent, uint64_t turn)
{
    uint64_t *late =
        &descent->history[turn % planner_option_value(descent->search->planner, HISTORY)];
    uint64_t limit = *late > descent->peak_bytes ? *late : descent->peak_bytes;
    uint32_t pairs = exchange_some(descent);
    uint64_t peak = dive_below(descent, limit);
    if (peak == UINT64_MAX)
        take_back(descent, pairs);
    else
        descent->peak_bytes = peak;
    *late = descent->peak_bytes;
}

static void descend(struct descent *descent)
{
    uint64_t patience = planner_option_value(descent->search->planner, PATIENCE);
    uint64_t lowest = descent->peak_bytes;
    for (uint64_t turn = 0, idle = 0; idle < patience; turn++, idle++) {
        if (is_over(descent))
            return;
        try_turn(descent, turn);
        if (descent->peak_bytes < lowest) {
            lowest = descent->peak_bytes;
            idle = 0;
        }
    }
}

static enum status fill_starts(struct descent *descent, struct error *error)
{
    struct order_search *search = descent->search;
    for (int i = 0; i < STARTS; i++) {
        TRY(memory_create(&descent->start[i], search->plan->buffers, sizeof *descent->start[i],
                          error));
        TRY(order_search_sort(search, starts[i], search->order, error));
        for (uint32_t k = 0; k < search->evaluator->movables; k++)
            descent->start[i][search->order[k]] = k;
        order_search_start(search);
        if (order_search_is_over(search))
            return STATUS_OK;
    }
    return STATUS_OK;
}

static enum status create_descent(struct descent *descent, struct error *error)
{
    const struct order_search *search = descent->search;
    TRY(dive_create(search->task->problem, search->evaluator->conflicts, &descent->dive, error));
    TRY(memory_create(&descent->rank, search->plan->buffers, sizeof *descent->rank, error));
    TRY(memory_create(&descent->order, search->evaluator->movables, sizeof *descent->order, error));
    TRY(memory_create(&descent->exchanged,
                      2 * (size_t)planner_option_value(search->planner, EXCHANGES),
                      sizeof *descent->exchanged, error));
    return memory_create(&descent->history, planner_option_value(search->planner, HISTORY),
                         sizeof *descent->history, error);
}

static enum status run_starts(struct descent *descent, struct error *error)
{
    struct order_search *search = descent->search;
    TRY(fill_starts(descent, error));
    if (order_search_is_over(search))
        return STATUS_OK;
    TRY(create_descent(descent, error));
    for (uint64_t number = 0; descent->dive && !is_over(descent); number++) {
        start_anew(descent, number);
        if (number >= STARTS * DIVE_RULES)
            descend(descent);
    }
    search->plan->measures.nodes += descent->dives;
    return STATUS_OK;
}

static enum status run_descent(struct order_search *search, struct error *error)
{
    struct descent descent = {.search = search};
    enum status status = run_starts(&descent, error);
    for (int i = 0; i < STARTS; i++)
        memory_free(descent.start[i]);
    dive_free(descent.dive);
    memory_free(descent.rank);
    memory_free(descent.order);
    memory_free(descent.exchanged);
    memory_free(descent.history);
    return status;
}

static const struct order_search_rule rule = {run_descent, 0};

static const struct planner rows[] = {
    {.name = "descent",
     .family = "ours",
     .title = "local search over ranks that are placed from the bottom up",
     .source = "ours: heuristics/ours/descent.c",
     .flags = PLANNER_NO_WINDOWS | PLANNER_SEARCHES | PLANNER_RANDOMISED,
     .rule = &rule,
     .options = options,
     .plan = order_search_plan},
};

HEURISTICS_ROWS(descent, rows);
