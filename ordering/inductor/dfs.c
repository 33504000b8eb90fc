/* Inductor's depth-first order: operators by the bytes that they read and write, least first, each
   behind its predecessors, which come in the same order. */

#include "core/memory.h"
#include "core/sort.h"
#include "ordering/common/post_order.h"
#include "planning/order/order.h"

static uint64_t get_bytes(const void *context, uint32_t op)
{
    const struct order_view *view = context;
    uint64_t bytes = 0;
    for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++)
        bytes += view->bytes[view->inputs.item[i]];
    for (uint32_t i = view->outputs.start[op]; i < view->outputs.start[op + 1]; i++)
        bytes += view->bytes[view->outputs.item[i]];
    return bytes;
}

static enum status walk_by_bytes(const struct order_view *view, uint32_t *rank,
                                 uint32_t *permutation, struct error *error)
{
    static const struct sort_key keys[SORT_MOST_KEYS] = {{get_bytes, false}};
    struct order_lists ranked = {0};
    struct post_order walk;
    TRY(sort_by_keys(keys, view, view->operators, rank, error));
    TRY(post_order_rank(view, rank, &ranked, error));
    enum status status = post_order_create(&walk, &ranked, permutation, error);
    for (uint32_t i = 0; i < view->operators && !status; i++)
        post_order_visit(&walk, rank[i]);
    if (!status)
        post_order_free(&walk);
    order_lists_free(&ranked);
    return status;
}

static enum status order_depth_first(const struct order_row *row, const struct order_task *task,
                                     uint32_t *permutation, struct order_report *report,
                                     struct error *error)
{
    uint32_t *rank;
    (void)row;
    TRY(memory_create(&rank, task->view->operators, sizeof *rank, error));
    enum status status = walk_by_bytes(task->view, rank, permutation, error);
    memory_free(rank);
    return status ? status : order_report_feasible(task->view, permutation, report, error);
}

const struct order_row order_inductor_dfs = {
    .name = "inductor_dfs",
    .title = "operators of few bytes first, each behind its predecessors",
    .source = "PyTorch Inductor, torch/_inductor/memory.py",
    .order = order_depth_first,
};
