#include "heuristics/order_search/omni/orders.h"

const char *const omni_order[OMNI_ORDERS] = {
    "input", "size", "duration", "area", "conflicts_size", "conflicts_times_size", "birth_size"};

/* Only a lower peak than the best so far is of interest. */
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
        order_search_shuffle(search, search->order);
        evaluate_below_best(search);
    }
    return STATUS_OK;
}

const struct order_search_rule omni_greedy_rule = {run_greedy, 0};
const struct order_search_rule omni_random_rule = {run_random, 0};

const struct planner_option omni_random_options[] = {
    {"orders", "random orders tried", 100, 1, 1000000}, {0}};
