#include "core/memory.h"
#include "core/sort.h"
#include "heuristics/common/order.h"
#include "heuristics/order_fit/order_fit.h"
#include "planning/arena/occupancy.h"
#include "support/fail_each.h"
#include "support/fits.h"
#include "support/random_problem.h"
#include "support/testing.h"

static struct scratch scratch;

/* Everything that ordering and placing allocates, failing once. */

enum { MOST_BUFFERS = 400 };

static struct problem *create_random(uint64_t seed, bool holes)
{
    struct random_state random = random_seed(seed);
    return random_problem_create(&(struct random_problem){.most_buffers = MOST_BUFFERS,
                                                          .steps = 60,
                                                          .most_size = 9,
                                                          .holes = holes,
                                                          .alignment = true},
                                 &random);
}

static enum status sort_some(const void *input, struct error *error)
{
    uint64_t key[] = {5, 3, 4, 300};
    uint32_t item[] = {0, 1, 2, 3};
    (void)input;
    return sort_items(key, item, 4, error);
}

static void test_sort(void)
{
    fail_each(sort_some, NULL);
}

/* No row of the table asks for all facts at once. */
static enum status fill_all_facts(const void *problem, struct error *error)
{
    struct order_facts facts;
    enum status status = order_facts_fill(
        &facts, problem, ORDER_CONFLICTS | ORDER_BREADTH | ORDER_NAMES | ORDER_SPAN, &scratch,
        error);
    scratch_free(&scratch);
    return status;
}

/* A problem and what to do with it. */
struct ordering {
    const struct problem *problem;
    const struct order *order;
    const char *fit;
};

static enum status sort_buffers(const void *input, struct error *error)
{
    const struct ordering *ordering = input;
    uint32_t sorted[MOST_BUFFERS];
    return order_sort(ordering->order, ordering->problem, 1, sorted, error);
}

static void test_orders(void)
{
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct problem *problem = create_random(seed, seed % 2);
        fail_each(fill_all_facts, problem);
        for (uint32_t o = 0; o < order_count(); o++)
            if (problem->buffers > 1 && !order_at(o)->random)
                fail_each(sort_buffers, &(struct ordering){problem, order_at(o), NULL});
        problem_free(problem);
    }
}

static enum status place_buffers(const void *input, struct error *error)
{
    const struct ordering *ordering = input;
    const struct order_fit rule = {ordering->order->name, ordering->fit};
    const struct planner planner = {.rule = &rule, .plan = order_fit_plan};
    const struct planner_task task = {
        .problem = ordering->problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX};
    struct plan *plan;
    TRY(plan_create(ordering->problem, &plan, error));
    enum status status = planner_plan(&planner, &task, plan, error);
    plan_free(plan);
    return status;
}

static void test_planners(void)
{
    struct problem *problem = create_random(2, true);
    CU_ASSERT_TRUE(problem->buffers > 100);
    for (uint32_t f = 0; f < fits_count(); f++)
        fail_each(place_buffers, &(struct ordering){problem, order_find("urgency"), fits_name(f)});
    problem_free(problem);
}

/* After a clear the unions are there already, and grow again only where they must. */
static enum status place_twice(const void *input, struct error *error)
{
    const struct problem *problem = input;
    struct occupancy *occupancy;
    uint32_t sorted[MOST_BUFFERS];
    uint64_t offset[MOST_BUFFERS], peak_bytes;
    for (uint32_t b = 0; b < problem->buffers; b++)
        sorted[b] = problem->buffers - 1 - b;
    TRY(occupancy_create(problem, &occupancy, error));
    const struct occupancy_rule first = {
        .fit = fit_find("first"), .sorted = sorted, .most_bytes = UINT64_MAX};
    const struct occupancy_rule top = {
        .fit = fit_find("top"), .sorted = sorted, .most_bytes = UINT64_MAX};
    enum status status = occupancy_place_all(occupancy, &first, offset, &peak_bytes, error);
    if (!status)
        status = occupancy_place_all(occupancy, &top, offset, &peak_bytes, error);
    occupancy_free(occupancy);
    return status;
}

static void test_occupancy(void)
{
    struct problem *problem = create_random(3, true);
    fail_each(place_twice, problem);
    problem_free(problem);
}

static const struct test_case cases[] = {
    {"sorting", test_sort},
    {"orders and their facts", test_orders},
    {"order and fit", test_planners},
    {"occupancy", test_occupancy},
};

TESTING_MAIN("heuristics/allocations", cases)
