/* The other end of the scale, a bad order: of the operators that may run, the one after which most
   bytes are live comes next, of equal ones the first stored. When the bytes that a waiting operator
   would leave or free change, it is moved in the heap. */

#include "ordering/common/ready_heap.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"

struct ranked {
    struct order_run run;
    struct ready_heap heap;
    int64_t
        *net; /* [operators] bytes that it leaves less those that it frees, of those that wait */
};

static bool leaves_more(const void *context, uint32_t a, uint32_t b)
{
    const struct ranked *ranked = context;
    if (ranked->net[a] != ranked->net[b])
        return ranked->net[a] > ranked->net[b];
    return a < b;
}

/* Puts an operator that may run into the heap, or moves it to where it belongs in the heap now. The
   difference of two sums is taken modulo 2^64, and is right because the bytes of a view add up to
   less. */
static void rank(struct ranked *ranked, uint32_t op)
{
    if (!order_run_is_ready(&ranked->run, op))
        return;
    ranked->net[op] =
        (int64_t)(order_run_left(&ranked->run, op) - order_run_freed(&ranked->run, op));
    if (ready_heap_has(&ranked->heap, op))
        ready_heap_move(&ranked->heap, op);
    else
        ready_heap_push(&ranked->heap, op);
}

static enum status order_badly(const struct order_row *row, const struct order_task *task,
                               uint32_t *permutation, struct order_report *report,
                               struct error *error)
{
    const struct order_view *view = task->view;
    const struct order_lists *inputs = &view->inputs, *after = &view->successors;
    struct ranked ranked = {.heap = {.comes_first = leaves_more, .context = &ranked}};
    struct order_run *run = &ranked.run;
    (void)row;
    TRY(order_run_take(view, run, task->scratch, error));
    TRY(scratch_take(task->scratch, &ranked.net, view->operators, sizeof *ranked.net, error));
    TRY(ready_heap_create(&ranked.heap, view->operators, task->scratch, error));
    for (uint32_t v = 0; v < view->operators; v++)
        rank(&ranked, v);
    while (ranked.heap.count) {
        uint32_t op = ready_heap_pop(&ranked.heap);
        permutation[run->done] = op;
        order_run_step(run, op);
        for (uint32_t i = after->start[op]; i < after->start[op + 1]; i++)
            rank(&ranked, after->item[i]);
        for (uint32_t i = inputs->start[op]; i < inputs->start[op + 1]; i++)
            if (!view->kept[inputs->item[i]] && run->unread[inputs->item[i]] == 1)
                rank(&ranked, order_run_last_reader(run, inputs->item[i]));
    }
    *report = (struct order_report){.status = PLAN_FEASIBLE, .load_bytes = run->load_bytes};
    return STATUS_OK;
}

const struct order_row order_worst = {
    .name = "worst",
    .title = "whatever leaves most bytes live, as the top of the scale",
    .source = "ours, after the question of MODeL's max_cut.py, greedily",
    .order = order_badly,
};
