#include "heuristics/common/order.h"

#include "core/checked.h"
#include "core/random.h"
#include "core/rows.h"
#include "planning/problem/clocks/clocks.h"

uint64_t order_size(const void *context, uint32_t buffer)
{
    const struct order_facts *facts = context;
    return facts->problem->size[buffer];
}

uint64_t order_first_step(const void *context, uint32_t buffer)
{
    const struct order_facts *facts = context;
    return problem_lower(facts->problem, buffer);
}

uint64_t order_end_step(const void *context, uint32_t buffer)
{
    const struct order_facts *facts = context;
    return problem_upper(facts->problem, buffer);
}

uint64_t order_span(const void *context, uint32_t buffer)
{
    return order_end_step(context, buffer) - order_first_step(context, buffer);
}

uint64_t order_position(const void *context, uint32_t buffer)
{
    (void)context;
    return buffer;
}

uint64_t order_product(uint64_t a, uint64_t b)
{
    uint64_t product;
    return checked_multiply(a, b, &product) ? product : UINT64_MAX;
}

/* One number for a clock of several streams: how far all streams have come, added up. A buffer that
   is over before another one has a lower sum. */
static uint64_t add_components(const uint32_t *clock, uint32_t streams)
{
    uint64_t sum = 0;
    for (uint32_t s = 0; s < streams; s++)
        sum += clock[s];
    return sum;
}

static uint64_t get_lower(const void *context, uint32_t buffer)
{
    const struct order_facts *facts = context;
    const struct problem *problem = facts->problem;
    uint32_t lower, upper;
    if (problem_streams(problem))
        return add_components(problem_clock(problem, buffer).start, problem_streams(problem));
    problem_time_steps(facts->problem, buffer, &lower, &upper);
    return lower;
}

static uint64_t get_upper(const void *context, uint32_t buffer)
{
    const struct order_facts *facts = context;
    const struct problem *problem = facts->problem;
    uint32_t lower, upper;
    if (problem_streams(problem))
        return add_components(problem_clock(problem, buffer).end, problem_streams(problem));
    problem_time_steps(facts->problem, buffer, &lower, &upper);
    return upper;
}

/* The duration of a buffer of several streams: that on the stream on which it is the longest, as in
   OmniMalloc. */
static uint64_t find_longest(struct clock clock)
{
    uint32_t longest = 0;
    for (uint32_t s = 0; s < clock.streams; s++)
        if (clock.end[s] - clock.start[s] > longest)
            longest = clock.end[s] - clock.start[s];
    return longest;
}

static uint64_t get_duration(const void *context, uint32_t buffer)
{
    const struct order_facts *facts = context;
    const struct problem *problem = facts->problem;
    return problem_streams(problem) ? find_longest(problem_clock(problem, buffer))
                                    : problem_duration(problem, buffer);
}

static uint64_t get_area(const void *context, uint32_t buffer)
{
    return order_product(order_size(context, buffer), get_duration(context, buffer));
}

static uint64_t get_conflicts(const void *context, uint32_t buffer)
{
    const struct order_facts *facts = context;
    return facts->conflicts[buffer];
}

static uint64_t get_conflicts_size(const void *context, uint32_t buffer)
{
    return order_product(get_conflicts(context, buffer), order_size(context, buffer));
}

static uint64_t get_breadth(const void *context, uint32_t buffer)
{
    const struct order_facts *facts = context;
    return facts->breadth[buffer];
}

static uint64_t get_breadth_step(const void *context, uint32_t buffer)
{
    const struct order_facts *facts = context;
    return facts->breadth_step[buffer];
}

static uint64_t get_name_rank(const void *context, uint32_t buffer)
{
    const struct order_facts *facts = context;
    return facts->name_rank[buffer];
}

/* Whether a buffer is live from the first step of all to the last. With several streams there are
   no such steps. */
static uint64_t is_preserved(const void *context, uint32_t buffer)
{
    const struct order_facts *facts = context;
    return !problem_streams(facts->problem) && get_lower(facts, buffer) == facts->first_step &&
           get_upper(facts, buffer) == facts->end_step;
}

static uint64_t get_size_if_not_preserved(const void *context, uint32_t buffer)
{
    return is_preserved(context, buffer) ? 0 : order_size(context, buffer);
}

#define UP(value)                                                                                  \
    {                                                                                              \
        value, false                                                                               \
    }
#define DOWN(value)                                                                                \
    {                                                                                              \
        value, true                                                                                \
    }
#define ORDER(name_, title_, facts_, ...)                                                          \
    {.name = #name_, .title = title_, .key = {__VA_ARGS__}, .facts = facts_},
#define ORDER_RANDOM(name_, title_) {.name = #name_, .title = title_, .random = true},
/* To add an order: a row there, and a function for its key where none of those above fits. */
static const struct order orders[] = {
#include "heuristics/common/orders.def"
};

ROWS_DEFINE(order, struct order, orders);
ROWS_DEFINE_FIND(order, struct order);

static enum status sort_by_facts(const struct order *order, const struct problem *problem,
                                 uint32_t *sorted, struct error *error)
{
    struct scratch scratch = {0};
    struct order_facts facts;
    enum status status = order_facts_fill(&facts, problem, order->facts, &scratch, error);
    if (!status)
        status = sort_by_keys(order->key, &facts, problem->buffers, sorted, error);
    scratch_free(&scratch);
    return status;
}

enum status order_sort(const struct order *order, const struct problem *problem, uint64_t seed,
                       uint32_t *sorted, struct error *error)
{
    if (!order->random)
        return sort_by_facts(order, problem, sorted, error);
    struct random_state random = random_seed(seed);
    for (uint32_t b = 0; b < problem->buffers; b++)
        sorted[b] = b;
    random_shuffle(&random, sorted, problem->buffers);
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
