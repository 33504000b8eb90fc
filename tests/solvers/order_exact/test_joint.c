#include "core/memory.h"

#include "ordering/region.h"
#include "planning/order/order_load.h"
#include "planning/plan/plan.h"
#include "solvers/mip/backends/solver.h"
#include "solvers/order_exact/ilp/places.h"
#include "solvers/order_exact/small.h"
#include "solvers/solvers.h"
#include "support/fail_each.h"
#include "support/made_problem.h"
#include "support/must.h"
#include "support/planned.h"
#include "support/testing.h"

/* The joint search, and the integer program, against the exact placement of every order. */

enum { GRAPHS = TESTING_COUNT(3000, 200), MOST_OPERATORS = 6, PROGRAMS = TESTING_COUNT(400, 20) };

extern const struct planner planner_exact;
extern const struct order_row order_joint_order, order_ilp_order;

static bool reads(const struct order_view *view, uint32_t op, uint32_t t)
{
    for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++)
        if (view->inputs.item[i] == t)
            return true;
    return false;
}

/* The least peak of an order: a buffer for each tensor, from where it is written to its last reader
   or the end, and one for what an operator takes beside its outputs. */
static uint64_t find_peak(const struct order_view *view, const uint32_t *permutation)
{
    SCOPED(problem_release) struct problem *problem = made_problem_start();
    for (uint32_t t = 0; t < view->tensors; t++) {
        struct made_buffer buffer = {0, 0, view->bytes[t]};
        for (uint32_t i = 0; i < view->operators; i++) {
            bool writes = view->producer[t] == permutation[i];
            if (writes)
                buffer.lower = i;
            if (writes || view->kept[t] || reads(view, permutation[i], t))
                buffer.upper = i + 1;
        }
        if (buffer.upper && buffer.size)
            made_problem_add(problem, buffer);
    }
    for (uint32_t i = 0; i < view->operators; i++) {
        uint64_t extra = view->alloc_bytes[permutation[i]];
        for (uint32_t t = 0; t < view->tensors; t++)
            extra -= view->producer[t] == permutation[i] ? view->bytes[t] : 0;
        if (extra)
            made_problem_add(problem, (struct made_buffer){i, i + 1, extra});
    }
    if (!problem->buffers)
        return 0;
    made_problem_finish(problem);
    const struct planner_task task = planned_task(problem);
    SCOPED(plan_release) struct plan *plan = planned(&planner_exact, &task);
    CU_ASSERT_EQUAL(plan->status, PLAN_OPTIMAL);
    return plan->measures.peak_bytes;
}

static uint64_t find_least_peak(const struct order_view *view, uint32_t *permutation,
                                uint32_t count, uint32_t ran)
{
    uint64_t least = UINT64_MAX;
    if (count == view->operators)
        return find_peak(view, permutation);
    for (uint32_t op = 0; op < view->operators; op++) {
        if (!region_may_run(view, ran, op))
            continue;
        permutation[count] = op;
        uint64_t peak = find_least_peak(view, permutation, count + 1, ran | 1u << op);
        least = peak < least ? peak : least;
    }
    return least;
}

/* True where the build supports the row. */
static bool check_graphs(const struct order_row *row, uint64_t graphs)
{
    for (uint64_t seed = 1; seed <= graphs; seed++) {
        SCOPED(order_view_release) struct order_view *view = small_view(seed, false);
        const struct order_task task = {view, UINT64_MAX, UINT64_MAX, 0, NULL};
        uint32_t found[SMALL_MOST_OPERATORS], tried[SMALL_MOST_OPERATORS];
        struct order_report report;
        if (view->operators > MOST_OPERATORS || view->first_bytes)
            continue;
        must(order_ask(row, &task, found, &report, &error));
        if (report.status == PLAN_UNSUPPORTED)
            return false;
        must(order_permutation_check(view, found, &error));
        CU_ASSERT_EQUAL(find_peak(view, found), find_least_peak(view, tried, 0, 0));
    }
    return true;
}

static void test_every_order(void)
{
    CU_ASSERT(check_graphs(&order_joint_order, GRAPHS));
}

/* The optimum of the integer program that has order and offsets. */
static uint64_t solve_program(const struct mip_solver *solver, const struct order_view *view)
{
    SCOPED(order_program_free) struct order_program program = {.view = view, .error = &error};
    SCOPED(memory_release) double *values = NULL;
    uint64_t most = 0;
    for (uint32_t t = 0; t < view->tensors; t++)
        most += view->bytes[t];
    for (uint32_t v = 0; v < view->operators; v++)
        most += order_program_extra(&program, v);
    must(order_program_fill(&program, most));
    must(order_places_add(&program, most));
    must(memory_create(&values, program.model->columns, sizeof *values, &error));
    const struct mip_question question = {.model = program.model, .deadline_ns = UINT64_MAX};
    struct mip_answer answer = {.values = values};
    must(solver->solve(&question, &answer, &error));
    CU_ASSERT_FATAL(answer.found);
    return (uint64_t)(values[0] + 0.5);
}

/* The row with places finds an order that can be placed at the least peak, which is the optimum of
   its program. */
static void test_program(void)
{
    const struct mip_solver *solver = &mip_solver_glpk;
    SCOPED(order_release) struct order_row *row = NULL;
    must(order_configure(&order_ilp_order, "places=1", &row, &error));
    CU_ASSERT_EQUAL(check_graphs(row, PROGRAMS), solver->solve != NULL);
    if (!solver->solve) {
        testing_skip("order_ilp: this build is without GLPK");
        return;
    }
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        SCOPED(order_view_release) struct order_view *view = small_view(seed, false);
        uint32_t tried[SMALL_MOST_OPERATORS];
        if (view->operators <= MOST_OPERATORS && !view->first_bytes)
            CU_ASSERT_EQUAL(solve_program(solver, view), find_least_peak(view, tried, 0, 0));
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
    SCOPED(order_release) struct order_row *row = NULL;
    must(order_configure(&order_ilp_order, "places=1", &row, &error));
    uint64_t seed = 1;
    struct order_view *view = small_view(seed, false);
    while (view->operators != 4 || view->first_bytes) {
        order_view_free(view);
        view = small_view(++seed, false);
    }
    const struct work work = {row, view};
    fail_each(order_once, &work);
    order_view_free(view);
}

static const struct test_case cases[] = {
    {"the least peak of all orders", test_every_order},
    {"the integer program's optimum is the least peak, and its order reaches it", test_program},

    {"every allocation of the program may fail", test_allocations},
};
TESTING_MAIN("solvers/order_exact/joint", cases)
