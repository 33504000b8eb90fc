/* The order of the least load as an integer program, solved by GLPK: slow, and an oracle for the
   searches beside it; or, with offsets, that of the least peak. */

#include <math.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"
#include "solvers/mip/solver.h"
#include "solvers/order_exact/ilp/places.h"

enum { MOST_OPERATORS = 30, MOST_WITH_PLACES = 20 };
enum { PLACES };

static const struct planner_option options[] = {
    [PLACES] = {"places", "offsets too: the least peak, of at most 20 operators", 0, 0, 1},
    {NULL, NULL, 0, 0, 0},
};

/* The row that has GLPK's solver as its rule. */
extern const struct planner planner_glpk;

/* An operator runs in the first step whose column says that it ran. */
static void read_order(const struct order_program *program, const double *values,
                       uint32_t *permutation)
{
    const struct order_view *view = program->view;
    for (uint32_t v = 0; v < view->operators; v++) {
        uint32_t step = 0;
        while (step + 1 < view->operators && values[order_program_ran(program, v, step)] < 0.5)
            step++;
        permutation[step] = v;
    }
}

static enum status solve(const struct order_program *program, const struct order_task *task,
                         uint32_t *permutation, struct order_report *report)
{
    const struct mip_solver *solver = planner_glpk.rule;
    const struct mip_question question = {.model = program->model,
                                          .deadline_ns = clock_deadline_ns(task->time_limit_ns)};
    struct mip_answer answer = {.values = NULL};
    TRY(memory_create(&answer.values, program->model->columns, sizeof(double), program->error));
    enum status status = solver->solve(&question, &answer, program->error);
    if (!status && answer.found) {
        read_order(program, answer.values, permutation);
        status = order_permutation_check(program->view, permutation, program->error);
    }
    memory_free(answer.values);
    TRY(status);
    report->states = answer.nodes;
    if (answer.peak_bound > 0)
        report->bound_bytes = (uint64_t)ceil(answer.peak_bound * (1 - 1e-6) - 1e-4);
    return STATUS_OK;
}

/* The bytes of all tensors, and of all that operators take beside them, one on another: no plan
   needs more. */
static uint64_t sum_all(const struct order_program *program)
{
    const struct order_view *view = program->view;
    uint64_t bytes = 0;
    for (uint32_t t = 0; t < view->tensors; t++)
        bytes += view->bytes[t];
    for (uint32_t v = 0; v < view->operators; v++)
        bytes += order_program_extra(program, v);
    return bytes;
}

static enum status fill_program(struct order_program *program, uint64_t load_bytes, bool places)
{
    uint64_t all = sum_all(program);
    TRY(order_program_fill(program, places ? all : load_bytes));
    return places ? order_places_add(program, all) : STATUS_OK;
}

static enum status order_by_program(struct order_program *program, const struct order_task *task,
                                    bool places, uint32_t *permutation, struct order_report *report)
{
    for (uint32_t v = 0; v < task->view->operators; v++)
        permutation[v] = v;
    TRY(order_load(task->view, permutation, &report->load_bytes, program->error));
    TRY(fill_program(program, report->load_bytes, places));
    TRY(solve(program, task, permutation, report));
    TRY(order_load(task->view, permutation, &report->load_bytes, program->error));
    if (places)
        report->bound_bytes = 0;
    report->status = report->load_bytes <= report->bound_bytes ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    return STATUS_OK;
}

/* The program does not know of outputs that are written over inputs. What it says of peaks is no
   bound of loads. */
static enum status order_ilp_run(const struct order_row *row, const struct order_task *task,
                                 uint32_t *permutation, struct order_report *report,
                                 struct error *error)
{
    struct order_program program = {.view = task->view, .error = error};
    const struct mip_solver *solver = planner_glpk.rule;
    bool places = order_option_value(row, PLACES);
    uint32_t operators = task->view->operators;
    *report = (struct order_report){.status = PLAN_UNSUPPORTED};
    if (!solver->solve || operators > (places ? MOST_WITH_PLACES : MOST_OPERATORS) ||
        task->view->first_spared[operators] || (places && task->view->first_bytes))
        return STATUS_OK;
    enum status status = order_by_program(&program, task, places, permutation, report);
    order_program_free(&program);
    return status;
}

const struct order_row order_ilp_order = {
    .name = "order_ilp",
    .title = "an integer program for at most 30 operators, by GLPK",
    .source = "after Steiner et al. 2022 (OLLA)",
    .flags = ORDER_EXACT | ORDER_SEARCHES,
    .options = options,
    .order = order_ilp_run,
};
