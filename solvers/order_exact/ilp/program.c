#include "solvers/order_exact/ilp/program.h"

#include <assert.h>

#include "core/memory.h"

uint32_t order_program_ran(const struct order_program *program, uint32_t v, uint32_t step)
{
    assert(v < program->view->operators && step < program->view->operators);
    return 1 + v * program->view->operators + step;
}

uint32_t order_program_live(const struct order_program *program, uint32_t t, uint32_t step)
{
    assert(t < program->view->tensors && step < program->view->operators);
    return 1 + (program->view->operators + t) * program->view->operators + step;
}

uint64_t order_program_extra(const struct order_program *program, uint32_t v)
{
    const struct order_view *view = program->view;
    uint64_t outputs = order_view_sum(view, &view->outputs, v);
    assert(outputs <= view->alloc_bytes[v]);
    return view->alloc_bytes[v] - outputs;
}

enum status order_program_add_columns(struct order_program *program, uint32_t count, double most,
                                      bool integer, uint32_t *first)
{
    struct mip_model *model = program->model;
    size_t needed = (size_t)model->columns + count;
    TRY(memory_reserve(&model->integer, &program->integer_capacity, needed, sizeof(bool),
                       program->error));
    TRY(memory_reserve(&model->column_lower, &program->lower_capacity, needed, sizeof(double),
                       program->error));
    TRY(memory_reserve(&model->column_upper, &program->upper_capacity, needed, sizeof(double),
                       program->error));
    assert(needed <= UINT32_MAX && most >= 0);
    *first = model->columns;
    for (uint32_t c = *first; c < needed; c++) {
        model->integer[c] = integer;
        model->column_lower[c] = 0;
        model->column_upper[c] = most;
    }
    model->columns = (uint32_t)needed;
    return STATUS_OK;
}

/* One operator runs in each step: as many ran by a step as there were steps, no more (sign -1) and
   no fewer (sign 1). What ran by a step has also run by the next one, and each predecessor ran at
   least one step before. */
static enum status add_order_rows(struct order_program *program)
{
    const struct order_lists *before = &program->view->predecessors;
    uint32_t operators = program->view->operators;
    for (uint32_t i = 0; i < operators; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            for (uint32_t v = 0; v < operators; v++)
                TRY(order_program_add_ran_before(program, v, i + 1, sign));
            TRY(order_program_close_row(program, sign * (double)(i + 1)));
        }
    for (uint32_t v = 0; v < operators; v++)
        for (uint32_t i = 0; i < operators; i++) {
            if (i > 0) {
                TRY(order_program_add_ran_before(program, v, i + 1, 1));
                TRY(order_program_add_ran_before(program, v, i, -1));
                TRY(order_program_close_row(program, 0));
            }
            for (uint32_t p = before->start[v]; p < before->start[v + 1]; p++) {
                TRY(order_program_add_ran_before(program, before->item[p], i, 1));
                TRY(order_program_add_ran_before(program, v, i + 1, -1));
                TRY(order_program_close_row(program, 0));
            }
        }
    return STATUS_OK;
}

enum status order_program_add_entry(struct order_program *program, uint32_t column, double value)
{
    struct mip_model *model = program->model;
    uint64_t at = model->row_first[model->rows + 1];
    assert(column < model->columns);
    TRY(memory_reserve(&model->row_column, &model->value_capacity[0], at + 1,
                       sizeof *model->row_column, program->error));
    TRY(memory_reserve(&model->row_value, &model->value_capacity[1], at + 1,
                       sizeof *model->row_value, program->error));
    model->row_column[at] = column;
    model->row_value[at] = value;
    model->row_first[model->rows + 1]++;
    return STATUS_OK;
}

enum status order_program_close_row(struct order_program *program, double bound)
{
    struct mip_model *model = program->model;
    TRY(memory_reserve(&model->row_bound, &program->bound_capacity, (size_t)model->rows + 1,
                       sizeof *model->row_bound, program->error));
    TRY(memory_reserve(&model->row_first, &program->first_capacity, (size_t)model->rows + 3,
                       sizeof *model->row_first, program->error));
    assert(model->row_first[model->rows + 1] > model->row_first[model->rows]);
    model->row_bound[model->rows++] = bound;
    model->row_first[model->rows + 1] = model->row_first[model->rows];
    return STATUS_OK;
}

enum status order_program_add_ran_before(struct order_program *program, uint32_t v, uint32_t step,
                                         double value)
{
    return step ? order_program_add_entry(program, order_program_ran(program, v, step - 1), value)
                : STATUS_OK;
}

/* Adds the row: live(t, step) >= ran(producer, step) - ran(reader, step - 1). A tensor without a
   producer is there from the start; without a reader it is never done with. */
static enum status add_live_row(struct order_program *program, uint32_t t, uint32_t step,
                                uint32_t reader)
{
    const struct order_view *view = program->view;
    uint32_t producer = view->producer[t];
    TRY(order_program_add_entry(program, order_program_live(program, t, step), 1));
    if (producer != ORDER_NONE)
        TRY(order_program_add_ran_before(program, producer, step + 1, -1));
    if (reader != ORDER_NONE)
        TRY(order_program_add_ran_before(program, reader, step, 1));
    return order_program_close_row(program, producer == ORDER_NONE);
}

enum status order_program_fill(struct order_program *program, uint64_t most_bytes)
{
    const struct order_view *view = program->view;
    const struct order_lists *readers = &view->readers;
    uint32_t operators = view->operators, first;
    TRY(memory_create(&program->model, 1, sizeof *program->model, program->error));
    TRY(memory_reserve(&program->model->row_first, &program->first_capacity, 2, sizeof(uint64_t),
                       program->error));
    program->model->row_first[0] = program->model->row_first[1] = 0;
    TRY(order_program_add_columns(program, 1, (double)most_bytes, false, &first));
    TRY(order_program_add_columns(program, operators * operators, 1, true, &first));
    assert(first == 1);
    TRY(order_program_add_columns(program, view->tensors * operators, 1, false, &first));
    assert(first == 1 + operators * operators);
    TRY(add_order_rows(program));
    for (uint32_t t = 0; t < view->tensors; t++)
        for (uint32_t i = 0; i < operators; i++) {
            for (uint32_t r = readers->start[t]; r < readers->start[t + 1]; r++)
                TRY(add_live_row(program, t, i, readers->item[r]));
            if (view->kept[t])
                TRY(add_live_row(program, t, i, ORDER_NONE));
            else if (!order_lists_count(readers, t) && view->producer[t] != ORDER_NONE)
                TRY(add_live_row(program, t, i, view->producer[t]));
        }
    /* The load, column 0, is at or above what each step takes. */
    for (uint32_t i = 0; i < operators; i++) {
        TRY(order_program_add_entry(program, 0, 1));
        for (uint32_t t = 0; t < view->tensors; t++)
            if (view->bytes[t])
                TRY(order_program_add_entry(program, order_program_live(program, t, i),
                                            -(double)view->bytes[t]));
        for (uint32_t v = 0; v < operators; v++) {
            double extra = (double)order_program_extra(program, v);
            if (extra == 0)
                continue;
            TRY(order_program_add_ran_before(program, v, i + 1, -extra));
            TRY(order_program_add_ran_before(program, v, i, extra));
        }
        TRY(order_program_close_row(program, i ? 0 : (double)view->first_bytes));
    }
    return STATUS_OK;
}

void order_program_free(struct order_program *program)
{
    mip_model_free(program->model);
    program->model = NULL;
}
