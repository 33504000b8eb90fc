/* Inductor's depth-first order: operators by the bytes that they read and write, least first, each
   behind its predecessors, which come in the same order. */

#include "core/sort.h"
#include "ordering/common/post_order.h"
#include "planning/order/order.h"

static uint64_t get_bytes(const void *context, uint32_t op)
{
    const struct order_view *view = context;
    return order_view_sum(view, &view->inputs, op) + order_view_sum(view, &view->outputs, op);
}

static enum status order_depth_first(const struct order_row *row, const struct order_task *task,
                                     uint32_t *permutation, struct order_report *report,
                                     struct error *error)
{
    static const struct sort_key keys[SORT_MOST_KEYS] = {{.value = get_bytes}};
    const struct order_view *view = task->view;
    struct order_lists ranked;
    struct post_order walk;
    uint32_t *rank;
    (void)row;
    TRY(scratch_take(task->scratch, &rank, view->operators, sizeof *rank, error));
    TRY(sort_by_keys(keys, view, view->operators, rank, error));
    TRY(post_order_rank(view, rank, &ranked, task->scratch, error));
    TRY(post_order_create(&walk, &ranked, permutation, task->scratch, error));
    for (uint32_t i = 0; i < view->operators; i++)
        post_order_visit(&walk, rank[i]);
    return order_report_feasible(view, permutation, report, error);
}

const struct order_row order_inductor_dfs = {
    .name = "inductor_dfs",
    .title = "operators of few bytes first, each behind its predecessors",
    .source = "PyTorch Inductor, torch/_inductor/memory.py",
    .order = order_depth_first,
};
