/* XLA's post-order scheduler: from each operator that nobody reads, in stored order, a walk that
   goes first to what has to run before it by control, then to its operands from left to right. */

#include "ordering/common/post_order.h"
#include "planning/order/order.h"

static enum status list_operands(const struct order_task *task, struct order_lists *operands,
                                 struct error *error)
{
    const struct order_lists *first = &task->view->before, *second = &task->view->predecessors;
    uint32_t count = 0, operators = task->view->operators;
    size_t edges = (size_t)first->start[operators] + second->start[operators];
    *operands = (struct order_lists){.rows = operators};
    TRY(scratch_take(task->scratch, &operands->start, (size_t)operators + 1, sizeof(uint32_t),
                     error));
    TRY(scratch_take(task->scratch, &operands->item, edges, sizeof(uint32_t), error));
    for (uint32_t v = 0; v < operators; v++) {
        for (uint32_t i = first->start[v]; i < first->start[v + 1]; i++)
            operands->item[count++] = first->item[i];
        for (uint32_t i = second->start[v]; i < second->start[v + 1]; i++)
            operands->item[count++] = second->item[i];
        operands->start[v + 1] = count;
    }
    return STATUS_OK;
}

static enum status order_post(const struct order_row *row, const struct order_task *task,
                              uint32_t *permutation, struct order_report *report,
                              struct error *error)
{
    struct order_lists operands;
    struct post_order walk;
    (void)row;
    TRY(list_operands(task, &operands, error));
    TRY(post_order_create(&walk, &operands, permutation, task->scratch, error));
    post_order_visit_ends(&walk, task->view);
    return order_report_feasible(task->view, permutation, report, error);
}

const struct order_row order_xla_post = {
    .name = "xla_post",
    .title = "post-order of a walk from what nobody reads, operands from left to right",
    .source = "XLA PostOrderScheduler, hlo_memory_scheduler.cc",
    .order = order_post,
};
