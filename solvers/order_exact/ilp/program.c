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

uint32_t order_program_add_columns(struct order_program *program, uint32_t count, double most,
                                   bool integer)
{
    uint32_t first = program->model->columns;
    for (uint32_t c = 0; c < count; c++)
        mip_add_column(program->model, 0, most, integer);
    return first;
}

/* One operator runs in each step: as many ran by a step as there were steps, no more (sign -1) and
   no fewer (sign 1). What ran by a step has also run by the next one, and each predecessor ran at
   least one step before. */
static void add_order_rows(struct order_program *program)
{
    const struct order_lists *before = &program->view->predecessors;
    uint32_t operators = program->view->operators;
    for (uint32_t i = 0; i < operators; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            for (uint32_t v = 0; v < operators; v++)
                order_program_add_ran_before(program, v, i + 1, sign);
            mip_close_row(program->model, sign * (double)(i + 1));
        }
    for (uint32_t v = 0; v < operators; v++)
        for (uint32_t i = 0; i < operators; i++) {
            if (i > 0) {
                order_program_add_ran_before(program, v, i + 1, 1);
                order_program_add_ran_before(program, v, i, -1);
                mip_close_row(program->model, 0);
            }
            for (uint32_t p = before->start[v]; p < before->start[v + 1]; p++) {
                order_program_add_ran_before(program, before->item[p], i, 1);
                order_program_add_ran_before(program, v, i + 1, -1);
                mip_close_row(program->model, 0);
            }
        }
}

void order_program_add_ran_before(struct order_program *program, uint32_t v, uint32_t step,
                                  double value)
{
    assert(step <= program->view->operators);
    if (step)
        mip_add_entry(program->model, order_program_ran(program, v, step - 1), value);
}

/* Adds the row: live(t, step) >= ran(producer, step) - ran(reader, step - 1). A tensor without a
   producer is there from the start; without a reader it is never done with. */
static void add_live_row(struct order_program *program, uint32_t t, uint32_t step, uint32_t reader)
{
    const struct order_view *view = program->view;
    uint32_t producer = view->producer[t];
    mip_add_entry(program->model, order_program_live(program, t, step), 1);
    if (producer != ORDER_NONE)
        order_program_add_ran_before(program, producer, step + 1, -1);
    if (reader != ORDER_NONE)
        order_program_add_ran_before(program, reader, step, 1);
    mip_close_row(program->model, producer == ORDER_NONE);
}

enum status order_program_fill(struct order_program *program, uint64_t most_bytes)
{
    const struct order_view *view = program->view;
    const struct order_lists *readers = &view->readers;
    uint32_t operators = view->operators;
    TRY(memory_create(&program->model, 1, sizeof *program->model, program->error));
    order_program_add_columns(program, 1, (double)most_bytes, false);
    order_program_add_columns(program, operators * operators, 1, true);
    order_program_add_columns(program, view->tensors * operators, 1, false);
    assert(program->model->columns == 1 + (operators + view->tensors) * operators);
    add_order_rows(program);
    for (uint32_t t = 0; t < view->tensors; t++)
        for (uint32_t i = 0; i < operators; i++) {
            for (uint32_t r = readers->start[t]; r < readers->start[t + 1]; r++)
                add_live_row(program, t, i, readers->item[r]);
            if (view->kept[t])
                add_live_row(program, t, i, ORDER_NONE);
            else if (!order_lists_count(readers, t) && view->producer[t] != ORDER_NONE)
                add_live_row(program, t, i, view->producer[t]);
        }
    /* The load, column 0, is at or above what each step takes. */
    for (uint32_t i = 0; i < operators; i++) {
        mip_add_entry(program->model, 0, 1);
        for (uint32_t t = 0; t < view->tensors; t++)
            if (view->bytes[t])
                mip_add_entry(program->model, order_program_live(program, t, i),
                              -(double)view->bytes[t]);
        for (uint32_t v = 0; v < operators; v++) {
            double extra = (double)order_program_extra(program, v);
            if (extra == 0)
                continue;
            order_program_add_ran_before(program, v, i + 1, -extra);
            order_program_add_ran_before(program, v, i, extra);
        }
        mip_close_row(program->model, i ? 0 : (double)view->first_bytes);
    }
    return mip_model_check(program->model, program->error);
}

void order_program_free(struct order_program *program)
{
    mip_model_free(program->model);
    program->model = NULL;
}
