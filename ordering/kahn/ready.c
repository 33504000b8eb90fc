/* Kahn's orders: any operator that may run comes next.

   fifo: the one that has waited longest; those that may run from the start wait in stored order,
   and those that another lets run join in stored order.
   lifo: one of those that another let run last; of several that may run since the same time the
   first stored.
   random: any one, each as likely as any other. */

#include "core/random.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"

enum rule { FIFO, LIFO, RANDOM };

/* The operators that may run are waiting[first] up to waiting[end]. */
struct ready {
    struct order_run run;
    enum rule rule;
    struct random_state random;
    uint32_t *waiting; /* [operators] */
    uint32_t first, end;
};

static void add_if_ready(struct ready *ready, uint32_t op)
{
    if (order_run_is_ready(&ready->run, op))
        ready->waiting[ready->end++] = op;
}

static uint32_t take_next(struct ready *ready)
{
    if (ready->rule == FIFO)
        return ready->waiting[ready->first++];
    uint32_t at = ready->end - 1;
    if (ready->rule == RANDOM)
        at = (uint32_t)random_below(&ready->random, ready->end);
    uint32_t taken = ready->waiting[at];
    ready->waiting[at] = ready->waiting[--ready->end];
    return taken;
}

/* A stack gets the first stored last, so that it comes out first. */
static enum status order_ready(const struct order_row *row, const struct order_task *task,
                               uint32_t *permutation, struct order_report *report,
                               struct error *error)
{
    const struct order_view *view = task->view;
    struct ready ready = {.rule = *(const enum rule *)row->rule, .random = random_seed(task->seed)};
    bool last_first = ready.rule == LIFO;
    TRY(order_run_take(view, &ready.run, task->scratch, error));
    TRY(scratch_take(task->scratch, &ready.waiting, view->operators, sizeof(uint32_t), error));
    for (uint32_t i = 0; i < view->operators; i++)
        add_if_ready(&ready, last_first ? view->operators - 1 - i : i);
    while (ready.first < ready.end) {
        uint32_t op = take_next(&ready), count = order_lists_count(&view->successors, op);
        const uint32_t *follower = order_lists_begin(&view->successors, op);
        permutation[ready.run.done] = op;
        order_run_step(&ready.run, op);
        for (uint32_t i = 0; i < count; i++)
            add_if_ready(&ready, follower[last_first ? count - 1 - i : i]);
    }
    *report = (struct order_report){.status = PLAN_FEASIBLE, .load_bytes = ready.run.load_bytes};
    return STATUS_OK;
}

const struct order_row order_fifo = {
    .name = "fifo",
    .title = "first come, first served: operators as soon as they may run",
    .source = "Kahn 1962; XLA BFScheduler; MindSpore SetExecOrderByDefault",
    .rule = &(const enum rule){FIFO},
    .order = order_ready,
};

const struct order_row order_lifo = {
    .name = "lifo",
    .title = "last come, first served: what has just become possible",
    .source = "Kahn 1962, with a stack",
    .rule = &(const enum rule){LIFO},
    .order = order_ready,
};

const struct order_row order_random = {
    .name = "random",
    .title = "any operator that may run, drawn at random",
    .source = "the bottom of the scale",
    .flags = ORDER_RANDOMISED,
    .rule = &(const enum rule){RANDOM},
    .order = order_ready,
};
