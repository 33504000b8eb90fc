/* OmniMalloc (Peddinghaus, 2025, src/python/omnimalloc/allocators/greedy.py and random.py): its
   seven orders, of which the first with the least peak wins, and its best of random orders. Ties
   keep the order of the problem. A duration is the number of live steps, so holes do not count. */

#include "heuristics/order_search/omni/orders.h"

#include "core/random.h"
#include "heuristics/common/rows.h"
#include "heuristics/order_search/order_search.h"

const char *const omni_order[OMNI_ORDERS] = {
    "input", "size", "duration", "area", "conflicts_size", "conflicts_times_size", "birth_size"};

/* Evaluates search->order; stops as soon as its peak reaches that of the best order so far. */
static void evaluate_below_best(struct order_search *search)
{
    uint64_t limit = search->best_bytes - 1;
    uint64_t peak = order_search_evaluate(search, search->order, 0, limit, search->candidate);
    order_search_keep(search, peak, search->candidate);
}

static enum status run_greedy(struct order_search *search, struct error *error)
{
    for (int i = 0; i < OMNI_ORDERS && !order_search_is_over(search); i++) {
        TRY(order_search_sort(search, omni_order[i], search->order, error));
        evaluate_below_best(search);
    }
    return STATUS_OK;
}

static enum status run_random(struct order_search *search, struct error *error)
{
    uint64_t orders_left = planner_option_value(search->planner, 0);
    (void)error;
    for (; orders_left && !order_search_is_over(search); orders_left--) {
        random_shuffle(&search->random, search->order, search->evaluator->movables);
        evaluate_below_best(search);
    }
    return STATUS_OK;
}

static const struct planner_option random_options[] = {
    {"orders", "random orders tried", 100, 1, 1000000}, {0}};

static const struct planner rows[] = {
    ORDER_SEARCH("omni_greedy", run_greedy, NULL, PLANNER_CLOCKS,
                 "the best of seven orders, first fit", "OmniMalloc (Peddinghaus, 2025) greedy.py"),
    ORDER_SEARCH("omni_random", run_random, random_options, PLANNER_RANDOMISED | PLANNER_CLOCKS,
                 "the best of 100 random orders, first fit",
                 "OmniMalloc (Peddinghaus, 2025) random.py"),
};

HEURISTICS_ROWS(omni_orders, rows);
