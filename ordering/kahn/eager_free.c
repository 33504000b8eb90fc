/* The stored order, but whenever an operator that may run frees more than it leaves, it runs now;
   of several the first stored. An operator that does so once goes on to do so until it has run,
   since what it frees only grows. */

#include "core/heap.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"

struct eager {
    struct order_run run;
    struct heap waiting; /* operators that free more than they leave, by number */
};

static void free_eager(struct eager *eager)
{
    heap_free(&eager->waiting);
}

static void note(struct eager *eager, uint32_t op)
{
    const struct order_run *run = &eager->run;
    if (order_run_is_ready(run, op) && order_run_freed(run, op) > order_run_left(run, op))
        heap_push(&eager->waiting, op, op, &ERROR_NONE);
}

static enum status order_eagerly(const struct order_row *row, const struct order_task *task,
                                 uint32_t *permutation, struct order_report *report,
                                 struct error *error)
{
    const struct order_view *view = task->view;
    const struct order_lists *inputs = &view->inputs, *after = &view->successors;
    uint32_t count = view->operators, next = 0;
    SCOPED(free_eager) struct eager eager = {.waiting = {0}};
    struct order_run *run = &eager.run;
    (void)row;
    TRY(order_run_take(view, run, task->scratch, error));
    TRY(heap_reserve(&eager.waiting, (size_t)count + after->start[count] + inputs->start[count],
                     error));
    for (uint32_t v = 0; v < count; v++)
        note(&eager, v);
    while (run->done < count) {
        uint32_t op = eager.waiting.count ? heap_pop(&eager.waiting).value : next++;
        if (run->ran[op])
            continue;
        permutation[run->done] = op;
        order_run_step(run, op);
        /* The bytes that an operator frees may have changed if it may run only now, or is only now
           the last reader of an input. An operator may be noted more than once. */
        for (uint32_t i = after->start[op]; i < after->start[op + 1]; i++)
            note(&eager, after->item[i]);
        for (uint32_t i = inputs->start[op]; i < inputs->start[op + 1]; i++)
            if (!view->kept[inputs->item[i]] && run->unread[inputs->item[i]] == 1)
                note(&eager, order_run_last_reader(run, inputs->item[i]));
    }
    *report = (struct order_report){.status = PLAN_FEASIBLE, .load_bytes = run->load_bytes};
    return STATUS_OK;
}

const struct order_row order_eager_free = {
    .name = "eager_free",
    .title = "stored order, but what frees more than it leaves runs as soon as it may",
    .source = "PyTorch PR 196848 (2026)",
    .order = order_eagerly,
};
