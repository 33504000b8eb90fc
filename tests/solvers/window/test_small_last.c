#include <stdio.h>

#include "core/clock.h"
#include "datasets/instance.h"
#include "solvers/exact/quick_plans.h"
#include "solvers/window/small_last.h"
#include "support/fail_each.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* The search in which the smallest buffers wait. Few sizes are below 4 % of the load of random
   problems, so their sizes are spread over a wide range. */

static const struct random_problem kinds[] = {
    {.most_buffers = 8, .steps = 6, .most_size = 200, .filled = true},
    {.most_buffers = 8, .steps = 7, .most_size = 300, .filled = true, .holes = true},
    {.most_buffers = 8, .steps = 6, .most_size = 300, .filled = true, .alignment = true},
    {.most_buffers = 30, .steps = 20, .most_size = 200},
    {.most_buffers = 30, .steps = 20, .most_size = 200, .fixed = true},
    {.most_buffers = 20, .steps = 20, .most_size = 90, .holes = true, .windows = true},
    {.most_buffers = 20, .steps = 20, .most_size = 90, .many_holes = true, .conflicts = true},
};

enum { KINDS = sizeof kinds / sizeof *kinds, BRUTE_KINDS = 3 };

struct run {
    const struct planner_task *task;
    uint64_t slice_ns;
    uint64_t *first_bytes, *peak_bytes, *bound_bytes;
};

/* Goes on until nothing is left to do, or for more steps than any problem here takes. */
static enum status run_once(const void *input, struct error *fault)
{
    const struct run *run = input;
    SCOPED(plan_release) struct plan *plan = NULL;
    SCOPED(small_last_release) struct small_last *small_last = NULL;
    bool advanced = true;
    TRY(plan_create(run->task->problem, &plan, fault));
    struct exact_incumbent incumbent = {.task = run->task, .plan = plan};
    TRY(exact_quick_plans_begin(&incumbent, fault));
    *run->first_bytes = exact_incumbent_peak_bytes(&incumbent);
    TRY(small_last_create(&incumbent, 1, &small_last, fault));
    for (int step = 0; advanced && step < 2000; step++) {
        const struct exact_slice slice = {clock_deadline_ns(run->slice_ns), UINT64_MAX};
        uint64_t before = exact_incumbent_peak_bytes(&incumbent);
        TRY(small_last_advance(small_last, &slice, &advanced));
        CU_ASSERT_TRUE(exact_incumbent_peak_bytes(&incumbent) <= before);
        CU_ASSERT_TRUE(planned_is_valid(run->task->problem, plan));
    }
    *run->peak_bytes = plan->measures.peak_bytes;
    *run->bound_bytes = plan->measures.lower_bound_bytes;
    return STATUS_OK;
}

static void test_plans_get_lower(void)
{
    uint64_t first, peak, bound, gained = 0;
    for (uint64_t seed = 1; seed <= TESTING_COUNT(400, 160); seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release)
        struct problem *problem = random_problem_create(&kinds[seed % KINDS], &random);
        struct planner_task task = planned_task(problem);
        const struct run run = {&task, 1 + seed % 2 * 100000, &first, &peak, &bound};
        if (planned_can_be(problem)) {
            must(run_once(&run, &error));
            CU_ASSERT_TRUE(peak <= first && bound <= peak);
            gained += peak < first;
        }
        if (seed % KINDS < BRUTE_KINDS) {
            uint64_t least = every_order_peak(problem);
            CU_ASSERT_TRUE(bound <= least && least <= peak);
        }
    }
    CU_ASSERT_TRUE(gained > 0);
}

/* In the end no more than one buffer of the least size waits, and the peak is above the load by no
   more than that. */
static void test_little_is_left_above_the_load(void)
{
    for (int seed = 1; seed <= 5; seed++) {
        SCOPED(instance_release) struct instance *instance = NULL;
        char name[80];
        snprintf(name, sizeof name, "generate:tight?buffers=80&capacity=4096&unit=16&seed=%d",
                 seed);
        must(instance_load(name, NULL, &instance, &error));
        const struct problem *problem = instance->problem;
        struct planner_task task = planned_task(problem);
        uint64_t first, peak, bound, least = UINT64_MAX;
        const struct run run = {&task, 1000000, &first, &peak, &bound};
        for (uint32_t b = 0; b < problem->buffers; b++)
            least = problem->size[b] < least ? problem->size[b] : least;
        must(run_once(&run, &error));
        CU_ASSERT_TRUE(peak <= bound + least);
        CU_ASSERT_EQUAL(bound, 4096);
    }
}

/* The smallest buffer has an offset at which others would be without it. */
static void test_what_is_fixed_does_not_wait(void)
{
    for (int seed = 1; seed <= 5; seed++) {
        SCOPED(instance_release) struct instance *instance = NULL;
        char name[80];
        snprintf(name, sizeof name, "generate:tight?buffers=80&capacity=4096&unit=16&seed=%d",
                 seed);
        must(instance_load(name, NULL, &instance, &error));
        struct problem *problem = instance->problem;
        struct planner_task task = planned_task(problem);
        uint64_t first, peak, bound;
        const struct run run = {&task, 1000000, &first, &peak, &bound};
        uint32_t smallest = 0;
        for (uint32_t b = 1; b < problem->buffers; b++)
            smallest = problem->size[b] < problem->size[smallest] ? b : smallest;
        must(problem_fix(problem, smallest, 64 * (uint64_t)seed, &error));
        must(problem_finish(problem, &error));
        must(run_once(&run, &error));
        CU_ASSERT_TRUE(peak <= first);
    }
}

static void test_allocations(void)
{
    struct random_state random = random_seed(143);
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kinds[3], &random);
    struct planner_task task = planned_task(problem);
    uint64_t first, peak, bound;
    fail_each(run_once, &(struct run){&task, UINT64_MAX, &first, &peak, &bound});
    CU_ASSERT_TRUE(peak < first);
}

static const struct test_case cases[] = {
    {"plans get lower, and bounds hold", test_plans_get_lower},
    {"little is left above the load", test_little_is_left_above_the_load},
    {"what is fixed does not wait", test_what_is_fixed_does_not_wait},
    {"every allocation fails once", test_allocations},
};

TESTING_MAIN("solvers/window/small_last", cases)
