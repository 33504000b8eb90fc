#include "solvers/tiles/tile_search.h"

#include <stdio.h>

#include "core/clock.h"
#include "datasets/instance.h"
#include "heuristics/heuristics.h"
#include "solvers/exact/quick_plans.h"
#include "solvers/tiles/tiles.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* A run of a few steps. Each takes about a thousandth of a second, and a fiftieth more where a
   helper makes descents. */
struct run {
    const struct planner_task *task;
    int steps;
    uint64_t *first_bytes, *peak_bytes, *bound_bytes;
    const struct planner *helper;
};

static enum status run_once(const void *input, struct error *fault)
{
    const struct run *run = input;
    SCOPED(plan_release) struct plan *plan = NULL;
    SCOPED(tile_search_release) struct tile_search *search = NULL;
    bool advanced = true;
    TRY(plan_create(run->task->problem, &plan, fault));
    struct exact_incumbent incumbent = {.task = run->task, .plan = plan};
    TRY(exact_quick_plans_begin(&incumbent, fault));
    *run->first_bytes = *run->peak_bytes = exact_incumbent_peak_bytes(&incumbent);
    *run->bound_bytes = plan->measures.lower_bound_bytes;
    if (!tile_search_can(&incumbent))
        return STATUS_OK;
    TRY(tile_search_create(&incumbent, 1, &search, fault));
    for (int step = 0; advanced && step < run->steps; step++) {
        const struct exact_slice slice = {clock_deadline_ns(1000000), UINT64_MAX};
        TRY(tile_search_advance(search, &slice, &advanced));
        uint64_t peak = exact_incumbent_peak_bytes(&incumbent);
        CU_ASSERT_TRUE(*run->bound_bytes <= peak && peak <= *run->peak_bytes);
        CU_ASSERT_EQUAL(plan->measures.lower_bound_bytes, *run->bound_bytes);
        CU_ASSERT_TRUE(planned_is_valid(run->task->problem, plan));
        *run->peak_bytes = peak;
    }
    return STATUS_OK;
}

static void plan_cuts(const char *options, uint32_t seed, int steps, const struct run *given)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    char name[160];
    snprintf(name, sizeof name, "generate:tight?joins=0&%s&seed=%u", options, seed);
    must(instance_load(name, NULL, &instance, &error));
    struct planner_task task = planned_task(instance->problem);
    struct run run = *given;
    task.helper = given->helper;
    run.task = &task;
    run.steps = steps;
    must(run_once(&run, &error));
}

/* Plans are valid, no bound changes, and cuts of 60 buffers are put together again, also where
   most cuts are pinwheels or some pieces are missing. */
static void test_cuts(void)
{
    static const char *const kinds[] = {"pinwheels=0", "pinwheels=100", "pinwheels=0&slack=3"};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    uint32_t solved[KINDS] = {0}, seeds = TESTING_COUNT(60, 12);
    uint64_t first, peak, bound;
    const struct run run = {NULL, 0, &first, &peak, &bound, NULL};
    for (uint32_t seed = 1; seed <= seeds; seed++) {
        for (uint32_t kind = 0; kind < KINDS; kind++) {
            char options[80];
            snprintf(options, sizeof options, "choose=area&%s&buffers=60&steps=60", kinds[kind]);
            plan_cuts(options, seed, 200, &run);
            solved[kind] += peak == bound;
        }
        plan_cuts("choose=area&pinwheels=0&buffers=200&steps=100&unit=4096&slack=3", seed, 10,
                  &run);
        plan_cuts("choose=time&pinwheels=50&buffers=40&steps=20&capacity=65536", seed, 10, &run);
    }
    for (uint32_t kind = 0; kind < KINDS; kind++)
        CU_ASSERT_TRUE(4 * solved[kind] >= 3 * seeds);
}

/* Descents in the plan of the tiles leave valid plans, whether tiles go on to be joined or not. */
static void test_descents(void)
{
    uint64_t first, peak, bound;
    const struct run run = {NULL, 0, &first, &peak, &bound, heuristics_find("portfolio")};
    CU_ASSERT_PTR_NOT_NULL_FATAL(run.helper);
    for (uint32_t seed = 1; seed <= TESTING_COUNT(20, 4); seed++) {
        plan_cuts("choose=area&pinwheels=0&buffers=400&steps=200&unit=512&slack=5", seed, 50, &run);
        plan_cuts("choose=time&pinwheels=0&buffers=300&steps=100&unit=512&slack=1", seed, 50, &run);
    }
}

/* Problems that are not full, or cannot be searched. */
static void test_random_problems(void)
{
    static const struct random_problem kinds[] = {
        {.most_buffers = 8, .steps = 6, .most_size = 20, .filled = true},
        {.most_buffers = 30, .steps = 20, .most_size = 5},
        {.most_buffers = 30, .steps = 6, .most_size = 2},
        {.most_buffers = 20, .steps = 20, .most_size = 9, .holes = true, .windows = true},
        {.most_buffers = 20, .steps = 20, .most_size = 9, .alignment = true},
    };
    for (uint64_t seed = 1; seed <= TESTING_COUNT(1000, 200); seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release)
        struct problem *problem = random_problem_create(&kinds[seed % 5], &random);
        struct planner_task task = planned_task(problem);
        uint64_t first, peak, bound;
        if (planned_can_be(problem))
            must(run_once(&(struct run){&task, 20, &first, &peak, &bound, NULL}, &error));
    }
}

static void test_allocations(void)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    must(instance_load("generate:tight?joins=0&pinwheels=0&buffers=20&steps=20&seed=2", NULL,
                       &instance, &error));
    struct planner_task task = planned_task(instance->problem);
    task.helper = heuristics_find("portfolio");
    uint64_t first, peak, bound;
    fail_each(run_once, &(struct run){&task, 1, &first, &peak, &bound, NULL});
}

static const struct test_case cases[] = {
    {"cuts", test_cuts},
    {"descents", test_descents},
    {"random problems", test_random_problems},
    {"every allocation fails once", test_allocations},
};

TESTING_MAIN("solvers/tiles/tile_search", cases)
