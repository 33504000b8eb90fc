#include "planning/order/order_load.h"

#include <assert.h>

#include "core/memory.h"

enum { MOST_NAME_BYTES = 16 };

enum status order_run_take(const struct order_view *view, struct order_run *run,
                           struct scratch *scratch, struct error *error)
{
    *run = (struct order_run){.view = view};
    TRY(scratch_take_all(scratch, view->tensors, error, &run->unread, &run->reader_xor));
    TRY(scratch_take_all(scratch, view->operators, error, &run->waiting, &run->ran));
    order_run_restart(run);
    return STATUS_OK;
}

enum status order_run_create(const struct order_view *view, struct order_run *run,
                             struct error *error)
{
    struct scratch own = {0};
    enum status status = order_run_take(view, run, &own, error);
    run->own = own;
    if (status)
        order_run_free(run);
    return status;
}

void order_run_restart(struct order_run *run)
{
    const struct order_view *view = run->view;
    run->live_bytes = 0;
    run->done = 0;
    for (uint32_t t = 0; t < view->tensors; t++) {
        run->unread[t] = order_lists_count(&view->readers, t) + view->kept[t];
        run->reader_xor[t] = 0;
        for (uint32_t i = view->readers.start[t]; i < view->readers.start[t + 1]; i++)
            run->reader_xor[t] ^= view->readers.item[i];
        if (view->producer[t] == ORDER_NONE && run->unread[t])
            run->live_bytes += view->bytes[t];
    }
    for (uint32_t v = 0; v < view->operators; v++) {
        run->waiting[v] = order_lists_count(&view->predecessors, v);
        run->ran[v] = false;
    }
    run->load_bytes = run->live_bytes + view->first_bytes;
    assert(run->load_bytes >= run->live_bytes);
}

void order_run_free(struct order_run *run)
{
    scratch_free(&run->own);
    *run = (struct order_run){0};
}

bool order_run_is_ready(const struct order_run *run, uint32_t op)
{
    assert(op < run->view->operators);
    return !run->ran[op] && !run->waiting[op];
}

uint32_t order_run_last_reader(const struct order_run *run, uint32_t tensor)
{
    assert(run->unread[tensor] == 1u + run->view->kept[tensor]);
    assert(run->reader_xor[tensor] < run->view->operators);
    return run->reader_xor[tensor];
}

uint64_t order_run_freed(const struct order_run *run, uint32_t op)
{
    const struct order_lists *inputs = &run->view->inputs;
    assert(op < run->view->operators);
    uint64_t freed = 0;
    for (uint32_t i = inputs->start[op]; i < inputs->start[op + 1]; i++)
        if (run->unread[inputs->item[i]] == 1)
            freed += run->view->bytes[inputs->item[i]];
    return freed;
}

uint64_t order_run_left(const struct order_run *run, uint32_t op)
{
    const struct order_lists *outputs = &run->view->outputs;
    assert(op < run->view->operators);
    uint64_t left = 0;
    for (uint32_t i = outputs->start[op]; i < outputs->start[op + 1]; i++)
        if (run->unread[outputs->item[i]])
            left += run->view->bytes[outputs->item[i]];
    return left;
}

uint64_t order_run_saved(const struct order_run *run, uint32_t op)
{
    return order_view_spared(run->view, op, run->unread);
}

uint64_t order_run_transient(const struct order_run *run, uint32_t op)
{
    uint64_t first = run->done ? 0 : run->view->first_bytes;
    assert(run->view->alloc_bytes[op] >= order_run_saved(run, op));
    return run->live_bytes + first + run->view->alloc_bytes[op] - order_run_saved(run, op);
}

void order_run_step(struct order_run *run, uint32_t op)
{
    const struct order_view *view = run->view;
    assert(order_run_is_ready(run, op));
    uint64_t transient = order_run_transient(run, op);
    if (transient > run->load_bytes)
        run->load_bytes = transient;
    run->live_bytes += order_run_left(run, op);
    assert(run->live_bytes >= order_run_freed(run, op));
    run->live_bytes -= order_run_freed(run, op);
    for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++) {
        run->unread[view->inputs.item[i]]--;
        run->reader_xor[view->inputs.item[i]] ^= op;
    }
    for (uint32_t i = view->successors.start[op]; i < view->successors.start[op + 1]; i++)
        run->waiting[view->successors.item[i]]--;
    run->ran[op] = true;
    run->done++;
}

void order_run_back(struct order_run *run, uint32_t op)
{
    const struct order_view *view = run->view;
    assert(run->ran[op] && run->done > 0);
    run->ran[op] = false;
    run->done--;
    for (uint32_t i = view->successors.start[op]; i < view->successors.start[op + 1]; i++)
        run->waiting[view->successors.item[i]]++;
    for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++) {
        run->unread[view->inputs.item[i]]++;
        run->reader_xor[view->inputs.item[i]] ^= op;
    }
    run->live_bytes += order_run_freed(run, op);
    assert(run->live_bytes >= order_run_left(run, op));
    run->live_bytes -= order_run_left(run, op);
}

enum status order_load(const struct order_view *view, const uint32_t *permutation,
                       uint64_t *load_bytes, struct error *error)
{
    SCOPED(order_run_free) struct order_run run = {0};
    TRY(order_run_create(view, &run, error));
    for (uint32_t i = 0; i < view->operators; i++)
        order_run_step(&run, permutation[i]);
    *load_bytes = run.load_bytes;
    assert(run.done == view->operators && run.load_bytes >= run.live_bytes);
    return STATUS_OK;
}

enum status order_permutation_check(const struct order_view *view, const uint32_t *permutation,
                                    struct error *error)
{
    SCOPED(memory_release) uint32_t *position = NULL;
    char name[2][MOST_NAME_BYTES];
    TRY(memory_create(&position, view->operators, sizeof *position, error));
    for (uint32_t v = 0; v < view->operators; v++)
        position[v] = ORDER_NONE;
    for (uint32_t i = 0; i < view->operators; i++) {
        if (permutation[i] >= view->operators)
            return error_set(error, STATUS_BAD_INPUT,
                             "found operator %u at place %u of an order, expected less than %u",
                             permutation[i], i, view->operators);
        if (position[permutation[i]] != ORDER_NONE)
            return error_set(error, STATUS_BAD_INPUT,
                             "operator '%s' stands at places %u and %u of an order, expected once",
                             order_view_name(view, permutation[i], name[0], sizeof name[0]),
                             position[permutation[i]], i);
        position[permutation[i]] = i;
    }
    for (uint32_t v = 0; v < view->operators; v++)
        for (const uint32_t *p = order_lists_begin(&view->predecessors, v);
             p < order_lists_end(&view->predecessors, v); p++)
            if (position[*p] > position[v])
                return error_set(error, STATUS_BAD_INPUT,
                                 "an order runs '%s' before '%s', which has to come first",
                                 order_view_name(view, v, name[0], sizeof name[0]),
                                 order_view_name(view, *p, name[1], sizeof name[1]));
    return STATUS_OK;
}
