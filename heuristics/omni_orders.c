#include "heuristics/omni_orders.h"

#include "core/checked.h"

static uint64_t get_size(const struct problem *problem, const struct conflicts *conflicts,
                         uint32_t buffer)
{
    (void)conflicts;
    return problem->size[buffer];
}

static uint64_t get_start(const struct problem *problem, const struct conflicts *conflicts,
                          uint32_t buffer)
{
    (void)conflicts;
    return problem_lower(problem, buffer);
}

static uint64_t get_duration(const struct problem *problem, const struct conflicts *conflicts,
                             uint32_t buffer)
{
    (void)conflicts;
    return problem_duration(problem, buffer);
}

static uint64_t get_degree(const struct problem *problem, const struct conflicts *conflicts,
                           uint32_t buffer)
{
    (void)problem;
    return conflicts->first[buffer + 1] - conflicts->first[buffer];
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t product;
    return checked_multiply(a, b, &product) ? product : UINT64_MAX;
}

static uint64_t get_area(const struct problem *problem, const struct conflicts *conflicts,
                         uint32_t buffer)
{
    (void)conflicts;
    return multiply(problem->size[buffer], problem_duration(problem, buffer));
}

static uint64_t get_degree_size(const struct problem *problem, const struct conflicts *conflicts,
                                uint32_t buffer)
{
    return multiply(get_degree(problem, conflicts, buffer), problem->size[buffer]);
}

static const struct order orders[OMNI_ORDERS] = {
    [OMNI_INPUT] = {"input", "as in the problem", {{NULL, false}}},
    [OMNI_SIZE] = {"size", "bytes", {{get_size, true}}},
    [OMNI_DURATION] = {"duration", "live steps", {{get_duration, true}}},
    [OMNI_AREA] = {"area", "bytes times live steps", {{get_area, true}}},
    [OMNI_DEGREE] = {"degree", "conflicts, bytes", {{get_degree, true}, {get_size, true}}},
    [OMNI_DEGREE_SIZE] = {"degree_size",
                          "conflicts times bytes, bytes",
                          {{get_degree_size, true}, {get_size, true}}},
    [OMNI_START] = {"start", "first step, bytes", {{get_start, false}, {get_size, true}}},
};

const struct order *omni_order_at(enum omni_order index)
{
    return &orders[index];
}

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
        TRY(order_search_sort(search, &orders[i], search->order, error));
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
