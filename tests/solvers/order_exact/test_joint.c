#include "planning/order/order_load.h"
#include "planning/plan/plan.h"
#include "solvers/order_exact/small.h"
#include "solvers/solvers.h"
#include "support/testing.h"

/* The joint search against the exact placement of every order. */

enum { GRAPHS = TESTING_COUNT(3000, 200), MOST_OPERATORS = 6 };

extern const struct planner planner_exact;
extern const struct order_row order_joint_order;

static struct error error;

static void add_life(struct problem *problem, uint64_t bytes, uint32_t lower, uint32_t upper)
{
    const struct problem_buffer buffer = {"b", bytes, 1, PROBLEM_FREE, -1};
    if (!bytes)
        return;
    CU_ASSERT_EQUAL_FATAL(problem_add_buffer(problem, &buffer, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(
        problem_add_segment(problem, (struct problem_segment){lower, upper, 0, bytes}, &error),
        STATUS_OK);
}

static bool reads(const struct order_view *view, uint32_t op, uint32_t t)
{
    for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++)
        if (view->inputs.item[i] == t)
            return true;
    return false;
}

/* A buffer for each tensor, from where it is written to its last reader or the end, and one for
   what an operator takes beside its outputs. */
static struct problem *make_problem(const struct order_view *view, const uint32_t *permutation)
{
    struct problem *problem;
    CU_ASSERT_EQUAL_FATAL(problem_create(&problem, "p", &error), STATUS_OK);
    for (uint32_t t = 0; t < view->tensors; t++) {
        uint32_t lower = 0, upper = 0;
        for (uint32_t i = 0; i < view->operators; i++) {
            if (view->producer[t] == permutation[i]) {
                lower = i;
                upper = i + 1;
            }
            if (view->kept[t] || reads(view, permutation[i], t))
                upper = i + 1;
        }
        if (upper)
            add_life(problem, view->bytes[t], lower, upper);
    }
    for (uint32_t i = 0; i < view->operators; i++) {
        uint64_t extra = view->alloc_bytes[permutation[i]];
        for (uint32_t t = 0; t < view->tensors; t++)
            extra -= view->producer[t] == permutation[i] ? view->bytes[t] : 0;
        add_life(problem, extra, i, i + 1);
    }
    return problem;
}

static uint64_t find_peak(const struct order_view *view, const uint32_t *permutation)
{
    struct problem *problem = make_problem(view, permutation);
    const struct planner_task task = {
        .problem = problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX};
    struct plan *plan;
    uint64_t peak = 0;
    if (problem->buffers) {
        CU_ASSERT_EQUAL_FATAL(problem_finish(problem, &error), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(plan_create(problem, &plan, &error), STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(planner_exact.plan(&planner_exact, &task, plan, &error), STATUS_OK);
        CU_ASSERT_EQUAL(plan->status, PLAN_OPTIMAL);
        peak = plan->measures.peak_bytes;
        plan_free(plan);
    }
    problem_free(problem);
    return peak;
}

static bool may_run(const struct order_view *view, uint32_t op, uint32_t ran)
{
    for (uint32_t i = view->predecessors.start[op]; i < view->predecessors.start[op + 1]; i++)
        if (!(ran >> view->predecessors.item[i] & 1))
            return false;
    return !(ran >> op & 1);
}

static uint64_t find_least_peak(const struct order_view *view, uint32_t *permutation,
                                uint32_t count, uint32_t ran)
{
    uint64_t least = UINT64_MAX;
    if (count == view->operators)
        return find_peak(view, permutation);
    for (uint32_t op = 0; op < view->operators; op++) {
        if (!may_run(view, op, ran))
            continue;
        permutation[count] = op;
        uint64_t peak = find_least_peak(view, permutation, count + 1, ran | 1u << op);
        least = peak < least ? peak : least;
    }
    return least;
}

static void test_every_order(void)
{
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct order_view *view = small_view(seed, false);
        const struct order_task task = {view, UINT64_MAX, UINT64_MAX, 0};
        uint32_t found[SMALL_MOST_OPERATORS], tried[SMALL_MOST_OPERATORS];
        struct order_report report;
        if (view->operators <= MOST_OPERATORS && !view->first_bytes) {
            CU_ASSERT_EQUAL_FATAL(
                order_joint_order.order(&order_joint_order, &task, found, &report, &error),
                STATUS_OK);
            CU_ASSERT_EQUAL(order_permutation_check(view, found, &error), STATUS_OK);
            CU_ASSERT_EQUAL(find_peak(view, found), find_least_peak(view, tried, 0, 0));
        }
        order_view_free(view);
    }
}

static const struct test_case cases[] = {
    {"the least peak of all orders", test_every_order},
};
TESTING_MAIN("solvers/order_exact/joint", cases)
