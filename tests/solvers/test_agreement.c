#include <stdio.h>

#include "datasets/instance.h"
#include "planning/problem/clocks_resolve.h"
#include "planning/verify/problem/plan.h"
#include "solvers/solvers.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/random_clocks.h"
#include "support/testing.h"
#include "support/verify_pairwise.h"

/* The optimum of these is above the load, so that no planner can stop at the first bound. */
enum { PROBLEMS = TESTING_COUNT(150, 5) };

/* 0 where the planner does not take the problem. */
static uint64_t find_optimum(const struct planner *planner, const struct problem *problem,
                             const struct plan *start)
{
    struct verdict verdict;
    SCOPED(plan_release) struct plan *plan = NULL;
    const struct planner_task task = {.problem = problem,
                                      .capacity_bytes = UINT64_MAX,
                                      .time_limit_ns = UINT64_MAX,
                                      .start = start};
    must(plan_create(problem, &plan, &error));
    must(planner_plan(planner, &task, plan, &error));
    if (plan->status == PLAN_UNSUPPORTED)
        return 0;
    verify_plan_pairwise(problem, plan, &verdict);
    CU_ASSERT_EQUAL(verdict.fault, VERIFY_VALID);
    CU_ASSERT_EQUAL(plan->status, PLAN_OPTIMAL);
    uint64_t peak_bytes = plan->measures.peak_bytes;
    return peak_bytes;
}

static bool is_exact(const struct planner *planner)
{
    return planner->flags & PLANNER_EXACT;
}

static void compare_planners(const struct problem *problem)
{
    SCOPED(plan_release) struct plan *start = planned_stack(problem);
    uint64_t optimum = find_optimum(solvers_at(0), problem, start);
    for (uint32_t i = 1; i < solvers_count(); i++)
        if (is_exact(solvers_at(i))) {
            uint64_t found = find_optimum(solvers_at(i), problem, start);
            CU_ASSERT_TRUE(found == optimum || found == 0);
        }
}

static void test_generated(void)
{
    CU_ASSERT_TRUE_FATAL(is_exact(solvers_at(0)));
    for (uint32_t i = 1; i <= PROBLEMS; i++) {
        char name[64];
        SCOPED(instance_release) struct instance *instance = NULL;
        snprintf(name, sizeof name, "generate:gap?buffers=12&capacity=12&seed=%u", i);
        must(instance_load(name, NULL, &instance, &error));
        compare_planners(instance->problem);
    }
    printf("%d problems by all of", PROBLEMS);
    for (uint32_t i = 0; i < solvers_count(); i++)
        if (is_exact(solvers_at(i)))
            printf(" %s", solvers_at(i)->name);
    printf("\n");
}

/* Some with an optimum above the heaviest antichain. */
static void test_streams(void)
{
    enum { STREAMS = TESTING_COUNT(60, 5), MOST_BUFFERS = 10, MOST_SIZE = 9 };
    uint32_t tried = 0;
    for (uint64_t seed = 0; tried < STREAMS; seed++) {
        struct random_state random = random_seed(seed);
        SCOPED(problem_release)
        struct problem *problem = random_clocks_create(MOST_BUFFERS, MOST_SIZE, &random);
        must(problem_clocks_resolve(&problem, &error));
        if (problem_streams(problem) && problem->buffers == MOST_BUFFERS) {
            compare_planners(problem);
            tried++;
        }
    }
}

static const struct test_case cases[] = {
    {"exact planners agree on gaps", test_generated},
    {"exact planners agree on orders of several streams", test_streams},
};

TESTING_MAIN("solvers/agreement", cases)
