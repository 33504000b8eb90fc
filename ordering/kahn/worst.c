/* The other end of the scale, a bad order: of the operators that may run, the one after which most
   bytes are live comes next, of equal ones the first stored. */

#include "ordering/common/net_heap.h"
#include "planning/order/order.h"

static bool leaves_more(const void *context, uint32_t a, uint32_t b)
{
    const struct net_heap *ranked = context;
    if (ranked->net[a] != ranked->net[b])
        return ranked->net[a] > ranked->net[b];
    return a < b;
}

static enum status order_badly(const struct order_row *row, const struct order_task *task,
                               uint32_t *permutation, struct order_report *report,
                               struct error *error)
{
    struct net_heap ranked;
    (void)row;
    TRY(net_heap_create(&ranked, task->view, leaves_more, error));
    net_heap_run(&ranked, permutation);
    *report = (struct order_report){.status = PLAN_FEASIBLE, .load_bytes = ranked.run.load_bytes};
    net_heap_free(&ranked);
    return STATUS_OK;
}

const struct order_row order_worst = {
    .name = "worst",
    .title = "whatever leaves most bytes live, as the top of the scale",
    .source = "ours, after the question of MODeL's max_cut.py, greedily",
    .order = order_badly,
};
