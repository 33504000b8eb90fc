#include <math.h>

#include "datasets/instance.h"
#include "planning/problem/bounds.h"
#include "solvers/exact/quick_plans.h"
#include "solvers/window/hot_order.h"
#include "solvers/window/places.h"
#include "solvers/window/squeeze.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* The local search that lowers a plan step by step, the order that it begins with, and what finds
   places for its buffers. */

static const struct random_problem kinds[] = {
    {.most_buffers = 8, .steps = 6, .most_size = 6, .filled = true},
    {.most_buffers = 40, .steps = 30, .most_size = 20, .holes = true},
    {.most_buffers = 40, .steps = 30, .most_size = 20, .alignment = true},
    {.most_buffers = 30, .steps = 30, .most_size = 20, .fixed = true},
    {.most_buffers = 30, .steps = 30, .most_size = 9, .holes = true, .windows = true},
    {.most_buffers = 30, .steps = 30, .most_size = 9, .many_holes = true, .conflicts = true},
};

enum { KINDS = sizeof kinds / sizeof *kinds, MOST_OTHERS = 12, MOST_OFFSET = 60 };

struct other {
    uint64_t begin, end;
    double cost;
};

/* What it costs to lie at the offset; negative where it cannot. */
static double find_cost(const struct other *other, uint32_t count, uint64_t offset, uint64_t size)
{
    double cost = 0;
    for (uint32_t i = 0; i < count; i++)
        if (other[i].begin < offset + size && offset < other[i].end) {
            if (other[i].cost == PLACES_FIXED)
                return -1;
            cost += other[i].cost;
        }
    return cost;
}

/* The lowest of the cheapest offsets by trying all; UINT64_MAX where there is none. */
static uint64_t try_all(const struct other *other, uint32_t count, const struct places_goal *goal)
{
    uint64_t cheapest = UINT64_MAX;
    double least = -1;
    for (uint64_t offset = 0; offset + goal->size <= goal->capacity_bytes;
         offset += goal->alignment) {
        double cost = find_cost(other, count, offset, goal->size);
        if (cost >= 0 && (least < 0 || cost < least)) {
            least = cost;
            cheapest = offset;
        }
    }
    return cheapest;
}

static void test_places(void)
{
    struct random_state random = random_seed(3);
    struct places places = {0};
    for (int round = 0; round < 3000; round++) {
        struct other other[MOST_OTHERS];
        uint32_t count = (uint32_t)random_below(&random, MOST_OTHERS);
        const struct places_goal goal = {.size = 1 + random_below(&random, 20),
                                         .alignment = 1 + random_below(&random, 4),
                                         .capacity_bytes = random_below(&random, MOST_OFFSET)};
        must(places_begin(&places, count, &error));
        for (uint32_t i = 0; i < count; i++) {
            uint64_t begin = random_below(&random, MOST_OFFSET);
            other[i] = (struct other){begin, begin + 1 + random_below(&random, 20),
                                      (double)random_below(&random, 5)};
            if (!random_below(&random, 6))
                other[i].cost = PLACES_FIXED;
            places_add(&places, other[i].begin, other[i].end, other[i].cost);
        }
        uint64_t offset = UINT64_MAX, expected = try_all(other, count, &goal);
        CU_ASSERT_EQUAL(places_find(&places, &goal, &offset), expected != UINT64_MAX);
        CU_ASSERT_EQUAL(offset, expected);
    }
    places_free(&places);
}

/* The most live bytes at a step of the buffer. */
static double find_heat(const struct problem *problem, uint32_t buffer)
{
    double most = 0;
    for (uint32_t step = 0; step < problem_steps(problem); step++) {
        double load = 0;
        bool is_live = false;
        for (uint32_t b = 0; b < problem->buffers; b++)
            for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
                if (problem->lower[s] <= step && step < problem->upper[s]) {
                    load += (double)problem->size[b];
                    is_live = is_live || b == buffer;
                }
        most = is_live && load > most ? load : most;
    }
    return most;
}

static void test_order_has_hot_ones_first(void)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kinds[1], &random);
        uint32_t sorted[40];
        double previous = INFINITY;
        SCOPED(draft_release) struct draft *draft = NULL;
        must(draft_create(problem, &draft, &error));
        must(hot_order_sort(draft, sorted, &error));
        for (uint32_t i = 0; i < problem->buffers; i++) {
            double size = (double)problem->size[sorted[i]],
                   steps = (double)problem_duration(problem, sorted[i]),
                   value = log(size) + log(steps) / 2 + 20 * log(find_heat(problem, sorted[i]));
            CU_ASSERT_TRUE(value < previous + 1e-9);
            previous = value;
        }
    }
}

struct run {
    const struct planner_task *task;
    uint32_t calls;
    bool begins_with_plan;
    uint64_t *peak_bytes; /* [2] of the first plan and of the last */
};

/* Every plan on the way is valid, and none is higher than the one before. */
static enum status run_once(const void *input, struct error *fault)
{
    const struct run *run = input;
    SCOPED(plan_release) struct plan *plan = NULL;
    SCOPED(squeeze_release) struct squeeze *squeeze = NULL;
    bool advanced = true;
    TRY(plan_create(run->task->problem, &plan, fault));
    struct exact_incumbent incumbent = {.task = run->task, .plan = plan};
    TRY(exact_quick_plans_begin(&incumbent, fault));
    TRY(squeeze_create(&incumbent, &squeeze, fault));
    if (run->begins_with_plan && plan_found(plan)) {
        double share;
        TRY(squeeze_find_high_share(squeeze, &share));
        CU_ASSERT_TRUE(share > 0 && share <= 1);
        squeeze_begin_with_plan(squeeze);
    }
    run->peak_bytes[0] = run->peak_bytes[1] = exact_incumbent_peak_bytes(&incumbent);
    for (uint32_t call = 0; call < run->calls && advanced; call++) {
        TRY(squeeze_advance(squeeze, UINT64_MAX, &advanced));
        CU_ASSERT_TRUE(plan->measures.peak_bytes <= run->peak_bytes[1]);
        CU_ASSERT_TRUE(planned_is_valid(run->task->problem, plan));
        run->peak_bytes[1] = plan->measures.peak_bytes;
        squeeze_rest(squeeze);
    }
    return STATUS_OK;
}

static void test_plans_get_lower(void)
{
    for (uint64_t seed = 1; seed <= TESTING_COUNT(60, 12); seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release)
        struct problem *problem = random_problem_create(&kinds[seed % KINDS], &random);
        struct planner_task task = planned_task(problem);
        uint64_t peak_bytes[2];
        const struct run run = {
            .task = &task, .calls = 3, .begins_with_plan = seed % 2 == 1, .peak_bytes = peak_bytes};
        if (planned_can_be(problem))
            must(run_once(&run, &error));
    }
}

/* Chains that end at once, or steps that are given up too soon, leave more than this. */
static void test_little_is_left_above_the_load(void)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    const char *name = "generate:layered?buffers=300&live=60&seed=4";
    must(instance_load(name, NULL, &instance, &error));
    struct planner_task task = planned_task(instance->problem);
    uint64_t load, peak_bytes[2];
    struct run run = {.task = &task, .calls = 1, .peak_bytes = peak_bytes};
    must(problem_load(instance->problem, &load, NULL, &error));
    for (int begins = 0; begins < 2; begins++) {
        run.begins_with_plan = begins == 1;
        must(run_once(&run, &error));
        CU_ASSERT_TRUE(peak_bytes[1] - load <= (peak_bytes[0] - load) / 4);
    }
}

static void test_allocations(void)
{
    struct random_state random = random_seed(2);
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kinds[0], &random);
    struct planner_task task = planned_task(problem);
    uint64_t peak_bytes[2];
    fail_each(run_once, &(struct run){.task = &task, .calls = 2, .peak_bytes = peak_bytes});
}

static const struct test_case cases[] = {
    {"the cheapest place is found", test_places},
    {"the order has what is large and hot first", test_order_has_hot_ones_first},
    {"plans get lower", test_plans_get_lower},
    {"little is left above the load", test_little_is_left_above_the_load},
    {"every allocation fails once", test_allocations},
};

TESTING_MAIN("solvers/window/squeeze", cases)
