/* The operators as they stand in the graph: what TensorFlow Lite, TFLite Micro and ExecuTorch run.

   Reverse post-order: a depth-first walk goes from the operators without predecessors, in stored
   order, to the operators that follow each, in stored order too. The order is that in which the
   walk leaves the operators, turned round. */

#include "ordering/common/post_order.h"
#include "planning/order/order.h"

static enum status order_as_stored(const struct order_row *row, const struct order_task *task,
                                   uint32_t *permutation, struct order_report *report,
                                   struct error *error)
{
    (void)row;
    for (uint32_t v = 0; v < task->view->operators; v++)
        permutation[v] = v;
    return order_report_feasible(task->view, permutation, report, error);
}

static enum status order_reversed(const struct order_row *row, const struct order_task *task,
                                  uint32_t *permutation, struct order_report *report,
                                  struct error *error)
{
    const struct order_view *view = task->view;
    struct post_order walk;
    uint32_t *left;
    (void)row;
    TRY(scratch_take(task->scratch, &left, view->operators, sizeof *left, error));
    TRY(post_order_create(&walk, &view->successors, left, task->scratch, error));
    for (uint32_t v = 0; v < view->operators; v++)
        if (!order_lists_count(&view->predecessors, v))
            post_order_visit(&walk, v);
    for (uint32_t i = 0; i < view->operators; i++)
        permutation[i] = left[view->operators - 1 - i];
    return order_report_feasible(view, permutation, report, error);
}

const struct order_row order_stored = {
    .name = "stored",
    .title = "the order of the graph as it is",
    .source = "TensorFlow Lite, TFLite Micro, ExecuTorch: no pass reorders",
    .order = order_as_stored,
};

const struct order_row order_reverse_post = {
    .name = "reverse_post",
    .title = "reverse post-order of a depth-first walk",
    .source = "Wang et al., DAC 2022, the baseline; many compilers",
    .order = order_reversed,
};
