/* The stored order, but whenever an operator that may run frees more than it leaves, it runs now;
   of several the first stored. An operator that does so once goes on to do so until it has run,
   since what it frees only grows. */

#include "core/heap.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"

struct eager {
    struct order_run run;
    struct heap waiting; /* operators that free more than they leave, by number */
    uint32_t *permutation;
};

static void note(struct eager *eager, uint32_t op)
{
    const struct order_run *run = &eager->run;
    if (order_run_is_ready(run, op) && order_run_freed(run, op) > order_run_left(run, op))
        heap_push(&eager->waiting, op, op, &ERROR_NONE);
}

/* Runs an operator and notes those for which this may change what they free: those that may run
   now, and those that are now the last reader of an input. An operator may be noted more than
   once. */
static void run_operator(struct eager *eager, uint32_t op)
{
    struct order_run *run = &eager->run;
    const struct order_view *view = run->view;
    eager->permutation[run->done] = op;
    order_run_step(run, op);
    for (uint32_t i = view->successors.start[op]; i < view->successors.start[op + 1]; i++)
        note(eager, view->successors.item[i]);
    for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++) {
        uint32_t tensor = view->inputs.item[i];
        if (!view->kept[tensor] && run->unread[tensor] == 1)
            note(eager, order_run_last_reader(run, tensor));
    }
}

static void run_all(struct eager *eager)
{
    const struct order_view *view = eager->run.view;
    for (uint32_t v = 0; v < view->operators; v++)
        note(eager, v);
    for (uint32_t next = 0; eager->run.done < view->operators;) {
        uint32_t op = eager->waiting.count ? heap_pop(&eager->waiting).value : next++;
        if (!eager->run.ran[op])
            run_operator(eager, op);
    }
}

static enum status order_eagerly(const struct order_row *row, const struct order_task *task,
                                 uint32_t *permutation, struct order_report *report,
                                 struct error *error)
{
    const struct order_view *view = task->view;
    struct eager eager = {.permutation = permutation};
    (void)row;
    TRY(order_run_take(view, &eager.run, task->scratch, error));
    size_t notes = (size_t)view->operators + view->successors.start[view->operators] +
                   view->inputs.start[view->operators];
    enum status status = heap_reserve(&eager.waiting, notes, error);
    if (!status) {
        run_all(&eager);
        *report =
            (struct order_report){.status = PLAN_FEASIBLE, .load_bytes = eager.run.load_bytes};
    }
    heap_free(&eager.waiting);
    return status;
}

const struct order_row order_eager_free = {
    .name = "eager_free",
    .title = "stored order, but what frees more than it leaves runs as soon as it may",
    .source = "PyTorch PR 196848 (2026)",
    .order = order_eagerly,
};
