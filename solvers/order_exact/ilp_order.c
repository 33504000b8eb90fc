/* The order of the least load as an integer program, solved by GLPK: slow, and an oracle for the
   searches beside it. After Steiner et al. 2022 (OLLA), whose variables say when a tensor is made
   and kept. */

#include <assert.h>
#include <math.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"
#include "solvers/mip/solver.h"

enum { MOST_OPERATORS = 30 };

/* The row that has GLPK's solver as its rule. */
extern const struct planner planner_glpk;

/* Columns: 0 the load; ran(v, i), 1 where operator v runs in step i or before; live(t, i), at least
   1 where tensor t is live in step i. Rows say: sum of value * column >= bound. */
struct program {
    const struct order_view *view;
    struct mip_model *model;
    size_t column_capacity, row_capacity, bound_capacity;
    struct error *error;
};

static uint32_t ran_column(const struct order_view *view, uint32_t v, uint32_t step)
{
    return 1 + v * view->operators + step;
}

static uint32_t live_column(const struct order_view *view, uint32_t t, uint32_t step)
{
    return 1 + (view->operators + t) * view->operators + step;
}

static enum status add_entry(struct program *program, uint32_t column, double value)
{
    struct mip_model *model = program->model;
    uint64_t at = model->row_first[model->rows + 1];
    TRY(memory_reserve(&model->row_column, &model->value_capacity[0], at + 1,
                       sizeof *model->row_column, program->error));
    TRY(memory_reserve(&model->row_value, &model->value_capacity[1], at + 1,
                       sizeof *model->row_value, program->error));
    model->row_column[at] = column;
    model->row_value[at] = value;
    model->row_first[model->rows + 1]++;
    return STATUS_OK;
}

/* Behind the entries of a row. */
static enum status close_row(struct program *program, double bound)
{
    struct mip_model *model = program->model;
    TRY(memory_reserve(&model->row_bound, &program->bound_capacity, (size_t)model->rows + 1,
                       sizeof *model->row_bound, program->error));
    TRY(memory_reserve(&model->row_first, &program->row_capacity, (size_t)model->rows + 3,
                       sizeof *model->row_first, program->error));
    model->row_bound[model->rows++] = bound;
    model->row_first[model->rows + 1] = model->row_first[model->rows];
    return STATUS_OK;
}

/* ran(v, i) from i = -1 on, where nothing ran. */
static enum status add_ran(struct program *program, uint32_t v, uint32_t steps, double value)
{
    return steps ? add_entry(program, ran_column(program->view, v, steps - 1), value) : STATUS_OK;
}

/* What ran has run ever after, and a predecessor ran a step before. */
static enum status add_operator_rows(struct program *program, uint32_t v)
{
    const struct order_view *view = program->view;
    const struct order_lists *before = &view->predecessors;
    for (uint32_t i = 0; i < view->operators; i++) {
        if (i > 0) {
            TRY(add_ran(program, v, i + 1, 1));
            TRY(add_ran(program, v, i, -1));
            TRY(close_row(program, 0));
        }
        for (uint32_t p = before->start[v]; p < before->start[v + 1]; p++) {
            TRY(add_ran(program, before->item[p], i, 1));
            TRY(add_ran(program, v, i + 1, -1));
            TRY(close_row(program, 0));
        }
    }
    return STATUS_OK;
}

/* One operator in each step: after so many steps so many ran, no more and no fewer. */
static enum status add_step_rows(struct program *program)
{
    uint32_t operators = program->view->operators;
    for (uint32_t i = 0; i < operators; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            for (uint32_t v = 0; v < operators; v++)
                TRY(add_ran(program, v, i + 1, sign));
            TRY(close_row(program, sign * (double)(i + 1)));
        }
    return STATUS_OK;
}

/* live(t, i) >= made by step i - done by step i - 1, where done is that a reader ran. */
static enum status add_live_row(struct program *program, uint32_t t, uint32_t step, uint32_t reader)
{
    const struct order_view *view = program->view;
    uint32_t producer = view->producer[t];
    TRY(add_entry(program, live_column(view, t, step), 1));
    if (producer != ORDER_NONE)
        TRY(add_ran(program, producer, step + 1, -1));
    if (reader != ORDER_NONE)
        TRY(add_ran(program, reader, step, 1));
    return close_row(program, producer == ORDER_NONE);
}

static enum status add_tensor_rows(struct program *program, uint32_t t)
{
    const struct order_view *view = program->view;
    const struct order_lists *readers = &view->readers;
    uint32_t count = order_lists_count(readers, t);
    for (uint32_t i = 0; i < view->operators; i++) {
        for (uint32_t r = readers->start[t]; r < readers->start[t + 1]; r++)
            TRY(add_live_row(program, t, i, readers->item[r]));
        if (view->kept[t])
            TRY(add_live_row(program, t, i, ORDER_NONE));
        else if (!count && view->producer[t] != ORDER_NONE)
            TRY(add_live_row(program, t, i, view->producer[t]));
    }
    return STATUS_OK;
}

/* What the operator takes beside its outputs while it runs. */
static double find_extra(const struct order_view *view, uint32_t v)
{
    uint64_t outputs = 0;
    for (uint32_t i = view->outputs.start[v]; i < view->outputs.start[v + 1]; i++)
        outputs += view->bytes[view->outputs.item[i]];
    return (double)view->alloc_bytes[v] - (double)outputs;
}

static enum status add_load_row(struct program *program, uint32_t step)
{
    const struct order_view *view = program->view;
    TRY(add_entry(program, 0, 1));
    for (uint32_t t = 0; t < view->tensors; t++)
        if (view->bytes[t])
            TRY(add_entry(program, live_column(view, t, step), -(double)view->bytes[t]));
    for (uint32_t v = 0; v < view->operators; v++) {
        double extra = find_extra(view, v);
        if (extra == 0)
            continue;
        TRY(add_ran(program, v, step + 1, -extra));
        TRY(add_ran(program, v, step, extra));
    }
    return close_row(program, step ? 0 : (double)view->first_bytes);
}

static enum status add_columns(struct program *program, uint64_t most_bytes)
{
    const struct order_view *view = program->view;
    struct mip_model *model = program->model;
    uint32_t integers = view->operators * view->operators;
    model->columns = 1 + integers + view->tensors * view->operators;
    TRY(memory_create(&model->integer, model->columns, sizeof(bool), program->error));
    TRY(memory_create(&model->column_lower, model->columns, sizeof(double), program->error));
    TRY(memory_create(&model->column_upper, model->columns, sizeof(double), program->error));
    model->column_upper[0] = (double)most_bytes;
    for (uint32_t c = 1; c < model->columns; c++) {
        model->integer[c] = c <= integers;
        model->column_upper[c] = 1;
    }
    return STATUS_OK;
}

static enum status fill_program(struct program *program, uint64_t most_bytes)
{
    const struct order_view *view = program->view;
    TRY(memory_reserve(&program->model->row_first, &program->row_capacity, 2, sizeof(uint64_t),
                       program->error));
    program->model->row_first[0] = program->model->row_first[1] = 0;
    TRY(add_columns(program, most_bytes));
    TRY(add_step_rows(program));
    for (uint32_t v = 0; v < view->operators; v++)
        TRY(add_operator_rows(program, v));
    for (uint32_t t = 0; t < view->tensors; t++)
        TRY(add_tensor_rows(program, t));
    for (uint32_t i = 0; i < view->operators; i++)
        TRY(add_load_row(program, i));
    return STATUS_OK;
}

/* An operator runs in the first step of which it is said. */
static void read_order(const struct order_view *view, const double *values, uint32_t *permutation)
{
    for (uint32_t v = 0; v < view->operators; v++) {
        uint32_t step = 0;
        while (step + 1 < view->operators && values[ran_column(view, v, step)] < 0.5)
            step++;
        permutation[step] = v;
    }
}

static enum status solve(const struct program *program, const struct order_task *task,
                         uint32_t *permutation, struct order_report *report)
{
    const struct mip_solver *solver = planner_glpk.rule;
    const struct mip_question question = {.model = program->model,
                                          .deadline_ns = clock_deadline_ns(task->time_limit_ns)};
    struct mip_answer answer = {.values = NULL};
    TRY(memory_create(&answer.values, program->model->columns, sizeof(double), program->error));
    enum status status = solver->solve(&question, &answer, program->error);
    if (!status && answer.found) {
        read_order(program->view, answer.values, permutation);
        status = order_permutation_check(program->view, permutation, program->error);
    }
    memory_free(answer.values);
    TRY(status);
    report->states = answer.nodes;
    if (answer.peak_bound > 0)
        report->bound_bytes = (uint64_t)ceil(answer.peak_bound * (1 - 1e-6) - 1e-4);
    return STATUS_OK;
}

static enum status order_by_program(struct program *program, const struct order_task *task,
                                    uint32_t *permutation, struct order_report *report)
{
    for (uint32_t v = 0; v < task->view->operators; v++)
        permutation[v] = v;
    TRY(order_load(task->view, permutation, &report->load_bytes, program->error));
    TRY(memory_create(&program->model, 1, sizeof *program->model, program->error));
    enum status status = fill_program(program, report->load_bytes);
    if (!status)
        status = solve(program, task, permutation, report);
    mip_model_free(program->model);
    TRY(status);
    TRY(order_load(task->view, permutation, &report->load_bytes, program->error));
    report->status = report->load_bytes <= report->bound_bytes ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    return STATUS_OK;
}

/* The program does not know of outputs that are written over inputs. */
static enum status order_ilp_run(const struct order_row *row, const struct order_task *task,
                                 uint32_t *permutation, struct order_report *report,
                                 struct error *error)
{
    struct program program = {.view = task->view, .error = error};
    const struct mip_solver *solver = planner_glpk.rule;
    uint32_t operators = task->view->operators;
    (void)row;
    *report = (struct order_report){.status = PLAN_UNSUPPORTED};
    if (!solver->solve || operators > MOST_OPERATORS || task->view->first_overwrite[operators])
        return STATUS_OK;
    return order_by_program(&program, task, permutation, report);
}

const struct order_row order_ilp_order = {
    .name = "order_ilp",
    .title = "an integer program for at most 30 operators, by GLPK",
    .source = "after Steiner et al. 2022 (OLLA)",
    .flags = ORDER_EXACT | ORDER_SEARCHES,
    .order = order_ilp_run,
};
