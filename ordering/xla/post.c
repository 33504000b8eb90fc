/* XLA's post-order scheduler: walks from each operator that nobody reads, in stored order, that go
   first to an operator's control predecessors, then to its operands from left to right. */

#include "ordering/common/post_order.h"
#include "planning/order/order.h"

static enum status order_post(const struct order_row *row, const struct order_task *task,
                              uint32_t *permutation, struct order_report *report,
                              struct error *error)
{
    const struct order_view *view = task->view;
    const struct order_lists *lists[] = {&view->before, &view->predecessors};
    struct order_lists operands = {.rows = view->operators};
    size_t edges = (size_t)lists[0]->start[operands.rows] + lists[1]->start[operands.rows];
    struct post_order walk;
    uint32_t count = 0;
    (void)row;
    TRY(scratch_take(task->scratch, &operands.start, operands.rows + (size_t)1, sizeof(uint32_t),
                     error));
    TRY(scratch_take(task->scratch, &operands.item, edges, sizeof(uint32_t), error));
    for (uint32_t v = 0; v < operands.rows; v++) {
        for (int k = 0; k < 2; k++)
            for (uint32_t i = lists[k]->start[v]; i < lists[k]->start[v + 1]; i++)
                operands.item[count++] = lists[k]->item[i];
        operands.start[v + 1] = count;
    }
    TRY(post_order_create(&walk, &operands, permutation, task->scratch, error));
    post_order_visit_ends(&walk, view);
    return order_report_feasible(view, permutation, report, error);
}

const struct order_row order_xla_post = {
    .name = "xla_post",
    .title = "post-order of a walk from what nobody reads, operands from left to right",
    .source = "XLA PostOrderScheduler, hlo_memory_scheduler.cc",
    .order = order_post,
};
