/* The operators as they stand in the graph: what TensorFlow Lite, TFLite Micro and ExecuTorch run.
 */

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

const struct order_row order_stored = {
    .name = "stored",
    .title = "the order of the graph as it is",
    .source = "TensorFlow Lite, TFLite Micro, ExecuTorch: no pass reorders",
    .order = order_as_stored,
};
