/* AMD XTen's order: where branches meet, the branch comes first whose greatest running size exceeds
   the size of its last result by most; a Concat keeps its operands' order. The running size of an
   operator is the bytes that it reads and writes, that of a branch the greatest running size of its
   operators. XTen leaves ties to the sort and handles one function body without control flow; here
   ties go to the left, and operators that several branches share count in each of them. */

#include <strings.h>

#include "ordering/common/post_order.h"
#include "planning/order/order.h"

static bool is_concat(const struct order_view *view, uint32_t op)
{
    if (!view->graph)
        return false;
    uint32_t type = view->graph->op[view->graph_operator[op]].type;
    return strncasecmp(graph_label(view->graph, type), "concat", 6) == 0;
}

static enum status order_by_branches(const struct order_row *row, const struct order_task *task,
                                     uint32_t *permutation, struct order_report *report,
                                     struct error *error)
{
    const struct order_view *view = task->view;
    const struct order_lists *before = &view->predecessors;
    struct scratch *scratch = task->scratch;
    uint64_t *running; /* [operators] the greatest running size up to it */
    int64_t *gain;     /* [operators] running size less the operator's own result */
    bool *as_listed;   /* [operators] it is a Concat */
    (void)row;
    TRY(scratch_take_all(scratch, view->operators, error, &running, &gain, &as_listed));
    for (uint32_t v = 0; v < view->operators; v++) {
        uint64_t result = order_view_sum(view, &view->outputs, v);
        running[v] = order_view_sum(view, &view->inputs, v) + result;
        for (uint32_t i = before->start[v]; i < before->start[v + 1]; i++)
            if (running[before->item[i]] > running[v])
                running[v] = running[before->item[i]];
        gain[v] = (int64_t)(running[v] - result);
        as_listed[v] = is_concat(view, v);
    }
    TRY(post_order_by_gain(view, gain, as_listed, permutation, scratch, error));
    return order_report_feasible(view, permutation, report, error);
}

const struct order_row order_xten = {
    .name = "xten",
    .title = "where branches meet, the largest beyond its result first",
    .source = "AMD XTen, XTenMinimizeLiveTensors.cpp",
    .order = order_by_branches,
};
