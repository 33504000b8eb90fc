/* A random order: at each step any operator that may run is as likely as any other. */

#include "core/random.h"
#include "core/memory.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"

static void run_at_random(struct order_run *run, uint64_t seed, uint32_t *ready,
                          uint32_t *permutation)
{
    const struct order_view *view = run->view;
    struct random_state random = random_seed(seed);
    uint32_t count = 0;
    for (uint32_t v = 0; v < view->operators; v++)
        if (order_run_is_ready(run, v))
            ready[count++] = v;
    while (count > 0) {
        uint32_t at = (uint32_t)random_below(&random, count), op = ready[at];
        ready[at] = ready[--count];
        permutation[run->done] = op;
        order_run_step(run, op);
        for (uint32_t i = view->successors.start[op]; i < view->successors.start[op + 1]; i++)
            if (order_run_is_ready(run, view->successors.item[i]))
                ready[count++] = view->successors.item[i];
    }
}

static enum status order_at_random(const struct order_row *row, const struct order_task *task,
                                   uint32_t *permutation, struct order_report *report,
                                   struct error *error)
{
    struct order_run run;
    uint32_t *ready;
    (void)row;
    TRY(memory_create(&ready, task->view->operators, sizeof *ready, error));
    enum status status = order_run_create(task->view, &run, error);
    if (!status) {
        run_at_random(&run, task->seed, ready, permutation);
        *report = (struct order_report){.status = PLAN_FEASIBLE, .load_bytes = run.load_bytes};
        order_run_free(&run);
    }
    memory_free(ready);
    return status;
}

const struct order_row order_random = {
    .name = "random",
    .title = "any operator that may run, drawn at random",
    .source = "the bottom of the scale",
    .flags = ORDER_RANDOMISED,
    .order = order_at_random,
};
