#include "heuristics/common/order.h"

#include "core/checked.h"
#include "core/random.h"
#include "core/rows.h"

uint64_t order_product(uint64_t a, uint64_t b)
{
    uint64_t product;
    return checked_multiply(a, b, &product) ? product : UINT64_MAX;
}

static uint64_t add_components(const uint32_t *clock, uint32_t streams)
{
    uint64_t sum = 0;
    for (uint32_t s = 0; s < streams; s++)
        sum += clock[s];
    return sum;
}

static bool is_preserved(const struct order_facts *facts, uint32_t buffer)
{
    uint32_t lower, upper;
    if (problem_streams(facts->problem))
        return false;
    problem_time_steps(facts->problem, buffer, &lower, &upper);
    return lower == facts->first_step && upper == facts->end_step;
}

static uint64_t get_value(const struct order_facts *facts, enum order_value value, uint32_t b)
{
    const struct problem *problem = facts->problem;
    uint32_t lower, upper, longest = 0, streams = problem_streams(problem);
    struct clock clock;
    switch (value) {
    case ORDER_BY_SIZE:
        return problem->size[b];
    case ORDER_BY_FIRST_STEP:
        return problem_lower(problem, b);
    case ORDER_BY_END_STEP:
        return problem_upper(problem, b);
    case ORDER_BY_SPAN:
        return problem_upper(problem, b) - problem_lower(problem, b);
    case ORDER_BY_SPAN_AREA:
        return order_product(get_value(facts, ORDER_BY_SPAN, b), problem->size[b]);
    case ORDER_BY_POSITION:
        return b;
    case ORDER_BY_LOWER:
        if (streams)
            return add_components(problem_clock(problem, b).start, streams);
        problem_time_steps(problem, b, &lower, &upper);
        return lower;
    case ORDER_BY_UPPER:
        if (streams)
            return add_components(problem_clock(problem, b).end, streams);
        problem_time_steps(problem, b, &lower, &upper);
        return upper;
    case ORDER_BY_DURATION:
        if (!streams)
            return problem_duration(problem, b);
        clock = problem_clock(problem, b);
        for (uint32_t s = 0; s < streams; s++)
            if (clock.end[s] - clock.start[s] > longest)
                longest = clock.end[s] - clock.start[s];
        return longest;
    case ORDER_BY_AREA:
        return order_product(problem->size[b], get_value(facts, ORDER_BY_DURATION, b));
    case ORDER_BY_CONFLICTS:
        return facts->conflicts[b];
    case ORDER_BY_CONFLICTS_SIZE:
        return order_product(facts->conflicts[b], problem->size[b]);
    case ORDER_BY_BREADTH:
        return facts->breadth[b];
    case ORDER_BY_BREADTH_STEP:
        return facts->breadth_step[b];
    case ORDER_BY_NAME:
        return facts->name_rank[b];
    case ORDER_BY_PRESERVED:
        return is_preserved(facts, b);
    case ORDER_BY_SIZE_IF_NOT_PRESERVED:
        return is_preserved(facts, b) ? 0 : problem->size[b];
    case ORDER_BY_NOTHING:
    case ORDER_VALUES:
        break;
    }
    return 0;
}

/* The facts that a value is made from, bits of enum order_fact. */
static const unsigned facts_of[ORDER_VALUES] = {
    [ORDER_BY_CONFLICTS] = ORDER_CONFLICTS,
    [ORDER_BY_CONFLICTS_SIZE] = ORDER_CONFLICTS,
    [ORDER_BY_BREADTH] = ORDER_BREADTH,
    [ORDER_BY_BREADTH_STEP] = ORDER_BREADTH,
    [ORDER_BY_NAME] = ORDER_NAMES,
    [ORDER_BY_PRESERVED] = ORDER_SPAN,
    [ORDER_BY_SIZE_IF_NOT_PRESERVED] = ORDER_SPAN,
};

#define UP(value)                                                                                  \
    {                                                                                              \
        ORDER_BY_##value, false                                                                    \
    }
#define DOWN(value)                                                                                \
    {                                                                                              \
        ORDER_BY_##value, true                                                                     \
    }
#define ORDER(name_, title_, ...) {.name = #name_, .title = title_, .key = {__VA_ARGS__}},
#define ORDER_RANDOM(name_, title_) {.name = #name_, .title = title_, .random = true},
/* To add an order: a row there, and a value above where none fits. */
static const struct order orders[] = {
#include "heuristics/common/orders.def"
};

ROWS_DEFINE(order, struct order, orders);
ROWS_DEFINE_FIND(order, struct order);

enum status order_sort(const struct order *order, const struct problem *problem, uint64_t seed,
                       uint32_t *sorted, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct random_state random = random_seed(seed);
    struct order_facts facts;
    uint64_t *column;
    unsigned wanted = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        sorted[b] = b;
    if (order->random) {
        random_shuffle(&random, sorted, problem->buffers);
        return STATUS_OK;
    }
    for (int k = 0; k < SORT_MOST_KEYS; k++)
        wanted |= facts_of[order->key[k].value];
    TRY(order_facts_fill(&facts, problem, wanted, &scratch, error));
    TRY(scratch_take(&scratch, &column, problem->buffers, sizeof *column, error));

    /* The last key is the first to be sorted by, since items with equal keys stay in their
       order. */
    for (int k = SORT_MOST_KEYS; k-- > 0;) {
        const struct order_key *key = &order->key[k];
        if (key->value == ORDER_BY_NOTHING)
            continue;
        for (uint32_t i = 0; i < problem->buffers; i++) {
            uint64_t value = get_value(&facts, key->value, sorted[i]);
            column[i] = key->descending ? ~value : value;
        }
        TRY(sort_items(column, sorted, problem->buffers, error));
    }
    return STATUS_OK;
}

uint32_t order_drop_fixed(const struct problem *problem, uint32_t *sorted)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < problem->buffers; i++)
        if (problem_fixed_offset(problem, sorted[i]) == PROBLEM_FREE)
            sorted[left++] = sorted[i];
    return left;
}
