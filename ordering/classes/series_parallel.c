/* The least load of a graph whose edges are series-parallel and whose tensors have one reader each,
   as in trees: Kayaaslan, Lambert, Marchal and Ucar (2018), here by the strings of Monma and Sidney
   (1979). For any other graph the order is that of liu_postorder. */

#include "ordering/classes/reduction.h"
#include "planning/order/order.h"

extern const struct order_row order_liu_postorder;

static enum status order_class(const struct order_row *row, const struct order_task *task,
                               uint32_t *permutation, struct order_report *report,
                               struct error *error)
{
    struct strings strings;
    bool is_constant;
    uint32_t root = ORDER_NONE;
    (void)row;
    TRY(strings_create(task->view, &strings, &is_constant, task->scratch, error));
    if (is_constant)
        TRY(reduction_run(&strings, &root, task->scratch, error));
    if (root == ORDER_NONE)
        return order_ask(&order_liu_postorder, task, permutation, report, error);
    strings_list(&strings, root, permutation);
    TRY(order_report_feasible(task->view, permutation, report, error));
    report->status = PLAN_OPTIMAL;
    report->bound_bytes = report->load_bytes;
    return STATUS_OK;
}

const struct order_row order_series_parallel = {
    .name = "series_parallel",
    .title = "the least load where edges are series-parallel and tensors have one reader",
    .source = "Kayaaslan et al. 2018; Monma and Sidney 1979",
    .flags = ORDER_EXACT | ORDER_CLASS,
    .order = order_class,
};
