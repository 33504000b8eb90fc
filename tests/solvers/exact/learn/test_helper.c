#include <stdio.h>
#include <string.h>

#include "datasets/instance.h"
#include "solvers/find_solver.h"
#include "support/fail_each.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/testing.h"

static const uint64_t second_ns = 1000000000;

/* What the helper is to do, and what was asked of it. */
static struct {
    uint64_t lowest; /* offset of the first buffer; all lie on top of each other */
    bool gives_up, errs;
    uint32_t calls;
    uint64_t limit_ns[4];
} helped;

static enum status help(const struct planner *planner, const struct planner_task *task,
                        struct plan *plan, struct error *reported)
{
    uint64_t offset = helped.lowest;
    (void)planner;
    if (helped.calls < sizeof helped.limit_ns / sizeof *helped.limit_ns)
        helped.limit_ns[helped.calls] = task->time_limit_ns;
    helped.calls++;
    plan->status = helped.gives_up ? PLAN_TIMEOUT : PLAN_FEASIBLE;
    for (uint32_t b = 0; b < plan->buffers; b++) {
        plan->offset[b] = helped.errs ? 0 : offset;
        offset += task->problem->size[b];
    }
    return plan_set_peak(plan, task->problem, reported);
}

static const struct planner helper = {.name = "help", .plan = help};

static enum status solve_into(const struct problem *problem, uint64_t limit_ns, struct plan *plan,
                              struct error *reported)
{
    const struct planner *exact = find_solver("exact");
    const struct planner_task task = {.problem = problem,
                                      .capacity_bytes = UINT64_MAX,
                                      .time_limit_ns = limit_ns,
                                      .helper = &helper};
    return exact->plan(exact, &task, plan, reported);
}

static struct plan *solve(const struct problem *problem, uint64_t limit_ns)
{
    struct plan *plan;
    helped.calls = 0;
    must(plan_create(problem, &plan, &error));
    must(solve_into(problem, limit_ns, plan, &error));
    return plan;
}

/* All live at once. */
static void test_few_buffers(void)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    must(instance_load("generate:gap?buffers=30&seed=3", NULL, &instance, &error));
    memset(&helped, 0, sizeof helped);
    SCOPED(plan_release) struct plan *plan = solve(instance->problem, UINT64_MAX);
    CU_ASSERT_EQUAL(plan->status, PLAN_OPTIMAL);
    CU_ASSERT_EQUAL(helped.calls, 0);
}

static void test_optimum_of_the_helper(void)
{
    SCOPED(problem_release) struct problem *problem = made_problem_pile(1100);
    must(problem_fix(problem, 0, 0, &error)); /* else each would be a part of its own */
    memset(&helped, 0, sizeof helped);
    SCOPED(plan_release) struct plan *plan = solve(problem, 1000 * second_ns);
    CU_ASSERT_EQUAL(plan->status, PLAN_OPTIMAL);
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, 3300);
    CU_ASSERT_EQUAL(helped.calls, 1);
}

/* Parts that are too large to be searched. */
static void test_before_and_after(void)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    must(instance_load("generate:layered?buffers=5000&live=2500&seed=1", NULL, &instance, &error));
    memset(&helped, 0, sizeof helped);
    SCOPED(plan_release) struct plan *plan = solve(instance->problem, 1000 * second_ns);
    const struct search_record *record = plan->search;
    CU_ASSERT_EQUAL(plan->status, PLAN_FEASIBLE);
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, problem_naive_bytes(instance->problem));
    CU_ASSERT_EQUAL_FATAL(record->points, 2);
    CU_ASSERT_EQUAL(record->point[0].peak_bytes, UINT64_MAX);
    CU_ASSERT_EQUAL(record->point[1].peak_bytes, plan->measures.peak_bytes);
    CU_ASSERT_EQUAL(record->point[1].bound_bytes, plan->measures.lower_bound_bytes);
    CU_ASSERT_EQUAL(helped.calls, 2);
    CU_ASSERT_TRUE(helped.limit_ns[0] <= 125 * second_ns);
    CU_ASSERT_TRUE(helped.limit_ns[1] > helped.limit_ns[0]);
    CU_ASSERT_TRUE(helped.limit_ns[1] <= 1000 * second_ns);
    SCOPED(plan_release) struct plan *again = solve(instance->problem, UINT64_MAX);
    CU_ASSERT_TRUE(plan_found(again));
    CU_ASSERT_EQUAL(helped.calls, 1);
    CU_ASSERT_EQUAL(helped.limit_ns[0], UINT64_MAX);
}

/* More pairs than are looked at. */
static void test_no_search(void)
{
    SCOPED(problem_release) struct problem *problem = made_problem_pile(9000);
    memset(&helped, 0, sizeof helped);
    helped.lowest = 1;
    SCOPED(plan_release) struct plan *plan = solve(problem, 1000 * second_ns);
    CU_ASSERT_EQUAL(plan->status, PLAN_FEASIBLE);
    CU_ASSERT_EQUAL(plan->measures.peak_bytes, 27001);
    CU_ASSERT_EQUAL(plan->measures.lower_bound_bytes, 27000);
    CU_ASSERT_EQUAL(helped.calls, 1);
    CU_ASSERT_TRUE(helped.limit_ns[0] > 125 * second_ns);
}

static void test_bad_helper(void)
{
    SCOPED(problem_release) struct problem *problem = made_problem_pile(9000);
    for (int errs = 0; errs < 2; errs++) {
        memset(&helped, 0, sizeof helped);
        helped.errs = errs;
        helped.gives_up = !errs;
        SCOPED(plan_release) struct plan *plan = solve(problem, second_ns);
        CU_ASSERT_EQUAL(plan->status, PLAN_TIMEOUT);
        CU_ASSERT_EQUAL(plan->measures.lower_bound_bytes, 27000);
    }
}

static enum status solve_once(const void *input, struct error *reported)
{
    const struct problem *problem = input;
    SCOPED(plan_release) struct plan *plan = NULL;
    TRY(plan_create(problem, &plan, reported));
    return solve_into(problem, UINT64_MAX, plan, reported);
}

/* Few of many buffers are live at once, so that a try takes no time. */
static void test_allocations(void)
{
    SCOPED(problem_release) struct problem *problem = made_problem_start();
    for (uint32_t b = 0; b < 1100; b++)
        made_problem_add(problem, (struct made_buffer){b, b + 3, 3});
    made_problem_finish(problem);
    must(problem_fix(problem, 0, 1, &error));
    memset(&helped, 0, sizeof helped);
    helped.lowest = 1;
    fail_each(solve_once, problem);
    CU_ASSERT_EQUAL(helped.limit_ns[0], UINT64_MAX);
}

static const struct test_case cases[] = {
    {"few buffers need no helper", test_few_buffers},
    {"an optimum of the helper ends it", test_optimum_of_the_helper},
    {"before and after the search", test_before_and_after},
    {"instead of a search", test_no_search},
    {"a helper that is wrong or gives up", test_bad_helper},
    {"every allocation fails once", test_allocations},
};

TESTING_MAIN("solvers/exact_helper", cases)
