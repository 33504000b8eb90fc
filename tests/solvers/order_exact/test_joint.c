#include <stdlib.h>

#include "planning/order/order_load.h"
#include "planning/plan/plan.h"
#include "solvers/mip/solver.h"
#include "solvers/order_exact/ilp/places.h"
#include "solvers/order_exact/small.h"
#include "solvers/solvers.h"
#include "support/fail_each.h"
#include "support/testing.h"

/* The joint search, and the integer program, against the exact placement of every order. */

enum { GRAPHS = TESTING_COUNT(3000, 200), MOST_OPERATORS = 6, PROGRAMS = TESTING_COUNT(400, 20) };

extern const struct planner planner_exact, planner_glpk;
extern const struct order_row order_joint_order, order_ilp_order;

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

/* False where the build does not support the row. */
static bool check_row(const struct order_row *row, const struct order_view *view)
{
    const struct order_task task = {view, UINT64_MAX, UINT64_MAX, 0, NULL};
    uint32_t found[SMALL_MOST_OPERATORS], tried[SMALL_MOST_OPERATORS];
    struct order_report report;
    CU_ASSERT_EQUAL_FATAL(order_ask(row, &task, found, &report, &error), STATUS_OK);
    if (report.status == PLAN_UNSUPPORTED)
        return false;
    CU_ASSERT_EQUAL(order_permutation_check(view, found, &error), STATUS_OK);
    CU_ASSERT_EQUAL(find_peak(view, found), find_least_peak(view, tried, 0, 0));
    return true;
}

/* True where all of them were supported. */
static bool check_graphs(const struct order_row *row, uint64_t graphs)
{
    bool supported = true;
    for (uint64_t seed = 1; seed <= graphs && supported; seed++) {
        struct order_view *view = small_view(seed, false);
        if (view->operators <= MOST_OPERATORS && !view->first_bytes)
            supported = check_row(row, view);
        order_view_free(view);
    }
    return supported;
}

static void test_every_order(void)
{
    CU_ASSERT(check_graphs(&order_joint_order, GRAPHS));
}

/* The row with places finds an order that can be placed at the least peak. */
static void test_program_row(void)
{
    struct order_row *row;
    CU_ASSERT_EQUAL_FATAL(order_configure(&order_ilp_order, "places=1", &row, &error), STATUS_OK);
    if (!check_graphs(row, PROGRAMS))
        testing_skip("order_ilp: this build is without GLPK");
    order_free(row);
}

/* The optimum of the integer program that has order and offsets. */
static uint64_t solve_program(const struct mip_solver *solver, const struct order_view *view)
{
    struct order_program program = {.view = view, .error = &error};
    uint64_t most = 0;
    for (uint32_t t = 0; t < view->tensors; t++)
        most += view->bytes[t];
    for (uint32_t v = 0; v < view->operators; v++)
        most += order_program_extra(&program, v);
    CU_ASSERT_EQUAL_FATAL(order_program_fill(&program, most), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(order_places_add(&program, most), STATUS_OK);
    struct mip_question question = {program.model, NULL, UINT64_MAX};
    struct mip_answer answer = {.values = calloc(program.model->columns, sizeof(double))};
    CU_ASSERT_PTR_NOT_NULL_FATAL(answer.values);
    CU_ASSERT_EQUAL_FATAL(solver->solve(&question, &answer, &error), STATUS_OK);
    CU_ASSERT_FATAL(answer.found);
    uint64_t peak = (uint64_t)(answer.values[0] + 0.5);
    free(answer.values);
    order_program_free(&program);
    return peak;
}

static void test_program(void)
{
    const struct mip_solver *solver = planner_glpk.rule;
    if (!solver->solve) {
        testing_skip("order_ilp: this build is without GLPK");
        return;
    }
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        struct order_view *view = small_view(seed, false);
        uint32_t tried[SMALL_MOST_OPERATORS];
        if (view->operators <= MOST_OPERATORS && !view->first_bytes)
            CU_ASSERT_EQUAL(solve_program(solver, view), find_least_peak(view, tried, 0, 0));
        order_view_free(view);
    }
}

struct work {
    const struct order_row *row;
    struct order_view *view;
};

static enum status order_once(const void *input, struct error *fault)
{
    const struct work *work = input;
    const struct order_task task = {work->view, UINT64_MAX, UINT64_MAX, 0, NULL};
    uint32_t permutation[SMALL_MOST_OPERATORS];
    struct order_report report;
    return work->row->order(work->row, &task, permutation, &report, fault);
}

static void test_allocations(void)
{
    struct order_row *row;
    CU_ASSERT_EQUAL_FATAL(order_configure(&order_ilp_order, "places=1", &row, &error), STATUS_OK);
    uint64_t seed = 1;
    struct order_view *view = small_view(seed, false);
    while (view->operators != 4 || view->first_bytes) {
        order_view_free(view);
        view = small_view(++seed, false);
    }
    const struct work work = {row, view};
    fail_each(order_once, &work);
    order_view_free(view);
    order_free(row);
}

static const struct test_case cases[] = {
    {"the least peak of all orders", test_every_order},
    {"the integer program's optimum is the least peak", test_program},
    {"its order can be placed at the least peak", test_program_row},
    {"every allocation of the program may fail", test_allocations},
};
TESTING_MAIN("solvers/order_exact/joint", cases)
