/* Kahn's order with a stack: of the operators that may run, one of those that another let run last;
   of several that may run since the same time the first stored. */

#include "core/memory.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"

static void run_stack(struct order_run *run, uint32_t *stack, uint32_t *permutation)
{
    const struct order_view *view = run->view;
    uint32_t count = 0;
    for (uint32_t v = view->operators; v-- > 0;)
        if (order_run_is_ready(run, v))
            stack[count++] = v;
    while (count > 0) {
        uint32_t v = stack[--count];
        permutation[run->done] = v;
        order_run_step(run, v);
        const uint32_t *first = order_lists_begin(&view->successors, v);
        for (const uint32_t *s = order_lists_end(&view->successors, v); s > first; s--)
            if (order_run_is_ready(run, s[-1]))
                stack[count++] = s[-1];
    }
}

static enum status order_by_stack(const struct order_row *row, const struct order_task *task,
                                  uint32_t *permutation, struct order_report *report,
                                  struct error *error)
{
    struct order_run run;
    uint32_t *stack;
    (void)row;
    TRY(memory_create(&stack, task->view->operators, sizeof *stack, error));
    enum status status = order_run_create(task->view, &run, error);
    if (!status) {
        run_stack(&run, stack, permutation);
        *report = (struct order_report){.status = PLAN_FEASIBLE, .load_bytes = run.load_bytes};
        order_run_free(&run);
    }
    memory_free(stack);
    return status;
}

const struct order_row order_lifo = {
    .name = "lifo",
    .title = "last come, first served: what has just become possible",
    .source = "Kahn 1962, with a stack",
    .order = order_by_stack,
};
