#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/instance.h"
#include "solvers/find_solver.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_problem.h"
#include "support/testing.h"

/* The search by windows and the planner that takes all searches in turns: both may say optimal and
   infeasible, so both are held against brute force. */

static const struct random_problem kinds[] = {
    {.most_buffers = 8, .steps = 7, .most_size = 6},
    {.most_buffers = 8, .steps = 6, .most_size = 6, .filled = true},
    {.most_buffers = 8, .steps = 7, .most_size = 7, .filled = true, .holes = true},
    {.most_buffers = 7, .steps = 6, .most_size = 7, .filled = true, .alignment = true},
    {.most_buffers = 8, .steps = 6, .most_size = 7, .filled = true, .fixed = true},
    {.most_buffers = 6, .steps = 9, .most_size = 5, .holes = true, .windows = true},
    {.most_buffers = 8, .steps = 6, .most_size = 6, .many_holes = true, .conflicts = true},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const char *const planners[] = {"window_search", "best"};

enum { PLANNERS = sizeof planners / sizeof *planners };

static struct plan *solve(const char *name, const struct problem *problem, uint64_t capacity_bytes)
{
    struct planner_task task = planned_task(problem);
    task.capacity_bytes = capacity_bytes;
    return planned(find_solver(name), &task);
}

/* A search by windows need not prove anything, but what it says must be true. */
static bool minimises(const char *name, const struct problem *problem, uint64_t least_bytes)
{
    SCOPED(plan_release) struct plan *plan = solve(name, problem, UINT64_MAX);
    uint64_t peak = plan->measures.peak_bytes, bound = plan->measures.lower_bound_bytes;
    bool proves = strcmp(name, "best") == 0;
    bool right = plan_found(plan) && planned_is_valid(problem, plan) && peak >= least_bytes &&
                 bound <= least_bytes &&
                 (plan->status == PLAN_OPTIMAL ? peak == least_bytes && bound == peak : !proves);
    return right;
}

static bool decides(const char *name, const struct problem *problem, uint64_t capacity_bytes,
                    uint64_t least_bytes)
{
    SCOPED(plan_release) struct plan *plan = solve(name, problem, capacity_bytes);
    bool right = capacity_bytes >= least_bytes
                     ? plan->status != PLAN_INFEASIBLE &&
                           (!plan_found(plan) || planned_is_valid(problem, plan))
                     : !plan_found(plan);
    if (strcmp(name, "best") == 0)
        right = right && (capacity_bytes >= least_bytes ? plan_found(plan)
                                                        : plan->status == PLAN_INFEASIBLE);
    return right;
}

static void compare(const struct problem *problem, uint64_t seed)
{
    uint64_t least_bytes = brute_force_peak(problem, 40);
    for (int p = 0; p < PLANNERS; p++) {
        if (minimises(planners[p], problem, least_bytes) &&
            decides(planners[p], problem, least_bytes, least_bytes) &&
            (least_bytes == 1 || decides(planners[p], problem, least_bytes - 1, least_bytes)))
            continue;
        printf("seed %llu, %s\n", (unsigned long long)seed, planners[p]);
        CU_FAIL("differs from brute force");
    }
}

static void test_against_brute_force(void)
{
    for (uint64_t k = 0; k < KINDS; k++)
        for (uint64_t i = 0; i < TESTING_COUNT(200, 40); i++) {
            uint64_t seed = 10000 * (k + 1) + i;
            struct random_state random = random_seed(seed);
            SCOPED(problem_release)
            struct problem *problem = random_problem_create(&kinds[k], &random);
            if (planned_can_be(problem))
                compare(problem, seed);
        }
}

static struct instance *load(const char *name)
{
    struct instance *instance;
    must(instance_load(name, NULL, &instance, &error));
    return instance;
}

/* Hot windows, filling in and ejection all have something to do here; no quick plan is as low. */
static void test_large_problem_is_proved(void)
{
    SCOPED(instance_release)
    struct instance *instance = load("generate:layered?buffers=3000&live=60&seed=7");
    for (int p = 0; p < PLANNERS; p++) {
        SCOPED(plan_release) struct plan *plan = solve(planners[p], instance->problem, UINT64_MAX);
        CU_ASSERT_EQUAL(plan->status, PLAN_OPTIMAL);
        CU_ASSERT_TRUE(planned_is_valid(instance->problem, plan));
    }
}

static void test_threads_change_nothing(void)
{
    SCOPED(instance_release)
    struct instance *instance = load("generate:layered?buffers=2000&live=40&seed=9");
    struct planner_task task = planned_task(instance->problem);
    SCOPED(plan_release) struct plan *one = planned(find_solver("window_search"), &task);
    task.threads = 2;
    SCOPED(plan_release) struct plan *two = planned(find_solver("window_search"), &task);
    CU_ASSERT_EQUAL(one->measures.peak_bytes, two->measures.peak_bytes);
    CU_ASSERT_EQUAL(memcmp(one->offset, two->offset, one->buffers * sizeof *one->offset), 0);
}

static void check_curve(const struct plan *plan)
{
    const struct search_record *record = plan->search;
    CU_ASSERT_FATAL(record->points > 0);
    for (uint32_t i = 1; i < record->points; i++) {
        CU_ASSERT_TRUE(record->point[i].peak_bytes <= record->point[i - 1].peak_bytes);
        CU_ASSERT_TRUE(record->point[i].bound_bytes >= record->point[i - 1].bound_bytes);
        CU_ASSERT_TRUE(record->point[i].time_ns >= record->point[i - 1].time_ns);
    }
    CU_ASSERT_EQUAL(record->point[record->points - 1].peak_bytes, plan->measures.peak_bytes);
}

static void test_time_ends_it_with_a_plan(void)
{
    SCOPED(instance_release) struct instance *instance = load("generate:tight?buffers=900&seed=3");
    struct planner_task task = planned_task(instance->problem);
    task.time_limit_ns = 50000000;
    for (int p = 0; p < PLANNERS; p++) {
        SCOPED(plan_release) struct plan *plan = planned(find_solver(planners[p]), &task);
        CU_ASSERT_TRUE(plan_found(plan));
        CU_ASSERT_TRUE(planned_is_valid(instance->problem, plan));
        check_curve(plan);
    }
}

/* Hot windows of five hundred live buffers, which took 1 KB a buffer when nobody looked. */
static void test_memory_of_many_buffers(void)
{
    SCOPED(instance_release)
    struct instance *instance = load("generate:layered?buffers=100000&live=500&seed=5");
    struct planner_task task = planned_task(instance->problem);
    task.time_limit_ns = UINT64_C(1500000000);
    memory_begin_peak();
    SCOPED(plan_release) struct plan *plan = planned(find_solver("best"), &task);
    CU_ASSERT_TRUE(plan_found(plan));
    CU_ASSERT_TRUE(memory_peak_bytes() <= UINT64_C(300) * plan->buffers);
}

static void test_start_is_kept(void)
{
    struct random_state random = random_seed(5);
    SCOPED(problem_release) struct problem *problem = random_problem_create(&kinds[1], &random);
    SCOPED(plan_release) struct plan *least = solve("exact", problem, UINT64_MAX);
    struct planner_task task = planned_task(problem);
    task.start = least;
    task.time_limit_ns = 0;
    for (int p = 0; p < PLANNERS; p++) {
        SCOPED(plan_release) struct plan *plan = planned(find_solver(planners[p]), &task);
        CU_ASSERT_TRUE(plan_found(plan));
        CU_ASSERT_EQUAL(plan->measures.peak_bytes, least->measures.peak_bytes);
    }
}

static void test_allocations(void)
{
    struct random_state random = random_seed(12);
    for (int k = 0; k < KINDS; k++) {
        SCOPED(problem_release) struct problem *problem = random_problem_create(&kinds[k], &random);
        const struct planner_task task = planned_task(problem);
        for (int p = 0; p < PLANNERS && planned_can_be(problem); p++)
            planned_fail_each(find_solver(planners[p]), &task);
    }
}

static const struct test_case cases[] = {
    {"against brute force", test_against_brute_force},
    {"a large problem is proved", test_large_problem_is_proved},
    {"threads change nothing", test_threads_change_nothing},
    {"the time limit ends it with a plan", test_time_ends_it_with_a_plan},
    {"the memory of many buffers", test_memory_of_many_buffers},
    {"the start is kept", test_start_is_kept},
    {"every allocation fails once", test_allocations},
};

TESTING_MAIN("solvers/window", cases)
