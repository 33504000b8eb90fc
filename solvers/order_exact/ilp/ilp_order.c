/* The order of the least load or, with offsets, of the least peak, as an integer program that GLPK
   solves. It is slow, and serves to check the other searches. */

#include <assert.h>
#include <math.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"
#include "solvers/mip/backends/solver.h"
#include "solvers/order_exact/ilp/places.h"

enum { MOST_OPERATORS = 30, MOST_WITH_PLACES = 20 };
enum { PLACES };

static const struct planner_option options[] = {
    [PLACES] = {"places", "offsets too: the least peak, of at most 20 operators", 0, 0, 1},
    {NULL, NULL, 0, 0, 0},
};

static enum status solve(const struct order_program *program, const struct order_task *task,
                         uint32_t *permutation, struct order_report *report)
{
    const struct order_view *view = program->view;
    const struct mip_solver *solver = &mip_solver_glpk;
    const struct mip_question question = {.model = program->model,
                                          .deadline_ns = clock_deadline_ns(task->time_limit_ns)};
    SCOPED(memory_release) double *values = NULL;
    TRY(memory_create(&values, program->model->columns, sizeof *values, program->error));
    struct mip_answer answer = {.values = values};
    assert(solver->solve && view->operators <= MOST_OPERATORS);
    TRY(solver->solve(&question, &answer, program->error));
    report->states = answer.nodes;
    if (answer.peak_bound > 0)
        report->bound_bytes = (uint64_t)ceil(answer.peak_bound * (1 - 1e-6) - 1e-4);
    if (!answer.found)
        return STATUS_OK;
    /* An operator runs in the first step whose column says that it ran. */
    for (uint32_t v = 0; v < view->operators; v++) {
        uint32_t step = 0;
        while (step + 1 < view->operators && values[order_program_ran(program, v, step)] < 0.5)
            step++;
        assert(step < view->operators);
        permutation[step] = v;
    }
    return order_permutation_check(view, permutation, program->error);
}

/* The program does not know of outputs that are written over inputs. What it says of peaks is no
   bound of loads. */
static enum status order_ilp_run(const struct order_row *row, const struct order_task *task,
                                 uint32_t *permutation, struct order_report *report,
                                 struct error *error)
{
    const struct order_view *view = task->view;
    SCOPED(order_program_free) struct order_program program = {.view = view, .error = error};
    const struct mip_solver *solver = &mip_solver_glpk;
    bool places = order_option_value(row, PLACES);
    *report = (struct order_report){.status = PLAN_UNSUPPORTED};
    if (!solver->solve || view->operators > (places ? MOST_WITH_PLACES : MOST_OPERATORS) ||
        view->first_spared[view->operators] || (places && view->first_bytes))
        return STATUS_OK;
    /* No plan needs more than all tensors, and all that operators take beside them, one on
       another. */
    uint64_t all = 0;
    for (uint32_t t = 0; t < view->tensors; t++)
        all += view->bytes[t];
    for (uint32_t v = 0; v < view->operators; v++) {
        all += order_program_extra(&program, v);
        permutation[v] = v;
    }
    TRY(order_load(view, permutation, &report->load_bytes, error));
    assert(report->load_bytes <= all);
    TRY(order_program_fill(&program, places ? all : report->load_bytes));
    if (places)
        TRY(order_places_add(&program, all));
    if (program.model->entries > MIP_MOST_ENTRIES)
        return STATUS_OK;
    TRY(solve(&program, task, permutation, report));
    TRY(order_load(view, permutation, &report->load_bytes, error));
    if (places)
        report->bound_bytes = 0;
    assert(report->bound_bytes <= report->load_bytes);
    report->status = report->load_bytes <= report->bound_bytes ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    return STATUS_OK;
}

const struct order_row order_ilp_order = {
    .name = "order_ilp",
    .title = "an integer program for at most 30 operators, by GLPK",
    .source = "after Steiner et al. 2022 (OLLA)",
    .flags = ORDER_EXACT | ORDER_SEARCHES,
    .options = options,
    .order = order_ilp_run,
};
