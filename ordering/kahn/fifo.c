/* Kahn's order: of the operators that may run, the one that has waited longest. Those that may run
   from the start wait in stored order, and those that another lets run join in stored order. */

#include "core/memory.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"

/* The permutation is the queue, too: the operators that ran, and behind them those that wait. */
static void run_queue(struct order_run *run, uint32_t *permutation)
{
    const struct order_view *view = run->view;
    uint32_t waits = 0;
    for (uint32_t v = 0; v < view->operators; v++)
        if (order_run_is_ready(run, v))
            permutation[waits++] = v;
    for (uint32_t i = 0; i < view->operators; i++) {
        uint32_t v = permutation[i];
        order_run_step(run, v);
        for (const uint32_t *s = order_lists_begin(&view->successors, v);
             s < order_lists_end(&view->successors, v); s++)
            if (order_run_is_ready(run, *s))
                permutation[waits++] = *s;
    }
}

static enum status order_fifo_run(const struct order_row *row, const struct order_task *task,
                                  uint32_t *permutation, struct order_report *report,
                                  struct error *error)
{
    struct order_run run;
    (void)row;
    TRY(order_run_create(task->view, &run, error));
    run_queue(&run, permutation);
    *report = (struct order_report){.status = PLAN_FEASIBLE, .load_bytes = run.load_bytes};
    order_run_free(&run);
    return STATUS_OK;
}

const struct order_row order_fifo = {
    .name = "fifo",
    .title = "first come, first served: operators as soon as they may run",
    .source = "Kahn 1962; XLA BFScheduler; MindSpore SetExecOrderByDefault",
    .order = order_fifo_run,
};
