#include "ordering/common/net_heap.h"

#include "core/memory.h"

enum status net_heap_create(struct net_heap *ranked, const struct order_view *view,
                            bool (*comes_first)(const void *, uint32_t, uint32_t),
                            struct error *error)
{
    enum status status;
    *ranked = (struct net_heap){.heap = {.comes_first = comes_first, .context = ranked}};
    TRY_OR_DONE(status, order_run_create(view, &ranked->run, error));
    TRY_OR_DONE(status, memory_create(&ranked->net, view->operators, sizeof(int64_t), error));
    TRY_OR_DONE(status, ready_heap_create(&ranked->heap, view->operators, error));
    return STATUS_OK;
done:
    net_heap_free(ranked);
    return status;
}

void net_heap_free(struct net_heap *ranked)
{
    ready_heap_free(&ranked->heap);
    memory_free(ranked->net);
    order_run_free(&ranked->run);
}

/* Puts an operator that may run into the heap, or where it belongs there now. The difference of two
   sums is taken modulo 2^64, and right as the bytes of a view add up to less. */
static void rank(struct net_heap *ranked, uint32_t op)
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

static void run_operator(struct net_heap *ranked, uint32_t op)
{
    struct order_run *run = &ranked->run;
    const struct order_view *view = run->view;
    order_run_step(run, op);
    for (uint32_t i = view->successors.start[op]; i < view->successors.start[op + 1]; i++)
        rank(ranked, view->successors.item[i]);
    for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++) {
        uint32_t tensor = view->inputs.item[i];
        if (!view->kept[tensor] && run->unread[tensor] == 1)
            rank(ranked, order_run_last_reader(run, tensor));
    }
}

void net_heap_run(struct net_heap *ranked, uint32_t *permutation)
{
    for (uint32_t v = 0; v < ranked->run.view->operators; v++)
        rank(ranked, v);
    while (ranked->heap.count) {
        uint32_t op = ready_heap_pop(&ranked->heap);
        permutation[ranked->run.done] = op;
        run_operator(ranked, op);
    }
}
