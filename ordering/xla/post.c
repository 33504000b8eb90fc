/* XLA's post-order scheduler: from each operator that nobody reads, in stored order, a walk that
   goes first to what has to run before it by control, then to its operands from left to right. */

#include "ordering/common/post_order.h"
#include "planning/order/order.h"

static enum status list_operands(const struct order_view *view, struct order_lists *operands,
                                 struct error *error)
{
    for (uint32_t v = 0; v < view->operators; v++) {
        for (uint32_t i = view->before.start[v]; i < view->before.start[v + 1]; i++)
            TRY(order_lists_add(operands, view->before.item[i], error));
        for (uint32_t i = view->predecessors.start[v]; i < view->predecessors.start[v + 1]; i++)
            TRY(order_lists_add(operands, view->predecessors.item[i], error));
        TRY(order_lists_close_row(operands, error));
    }
    return STATUS_OK;
}

static enum status walk_operands(const struct order_view *view, const struct order_lists *operands,
                                 uint32_t *permutation, struct error *error)
{
    struct post_order walk;
    TRY(post_order_create(&walk, operands, permutation, error));
    for (uint32_t v = 0; v < view->operators; v++)
        if (!order_lists_count(&view->successors, v))
            post_order_visit(&walk, v);
    post_order_free(&walk);
    return STATUS_OK;
}

static enum status order_post(const struct order_row *row, const struct order_task *task,
                              uint32_t *permutation, struct order_report *report,
                              struct error *error)
{
    struct order_lists operands = {0};
    (void)row;
    enum status status = list_operands(task->view, &operands, error);
    if (!status)
        status = walk_operands(task->view, &operands, permutation, error);
    order_lists_free(&operands);
    return status ? status : order_report_feasible(task->view, permutation, report, error);
}

const struct order_row order_xla_post = {
    .name = "xla_post",
    .title = "post-order of a walk from what nobody reads, operands from left to right",
    .source = "XLA PostOrderScheduler, hlo_memory_scheduler.cc",
    .order = order_post,
};
