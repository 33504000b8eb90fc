/* AMD XTen's order: where branches meet, the one comes first whose greatest running size exceeds
   the size of its last result by most; a Concat keeps its operands' order. The running size of an
   operator is what it reads and writes, that of a branch the greatest of its operators'. XTen
   leaves ties to the sort and looks at one function body without control flow; here ties go to the
   left, and operators that several branches share count in each of them. */

#include <strings.h>

#include "ordering/common/post_order.h"
#include "planning/order/order.h"

struct branches {
    const struct order_view *view;
    uint64_t *running; /* [operators] the greatest running size up to it */
    int64_t *gain;     /* [operators] running size less the operator's own result */
    bool *as_listed;   /* [operators] it is a Concat */
};

static bool is_concat(const struct order_view *view, uint32_t op)
{
    if (!view->graph)
        return false;
    uint32_t type = view->graph->op[view->graph_operator[op]].type;
    return strncasecmp(graph_label(view->graph, type), "concat", 6) == 0;
}

static void follow_branches(struct branches *branches)
{
    const struct order_view *view = branches->view;
    for (uint32_t v = 0; v < view->operators; v++) {
        uint64_t result = order_view_sum(view, &view->outputs, v);
        uint64_t running = order_view_sum(view, &view->inputs, v) + result;
        for (uint32_t i = view->predecessors.start[v]; i < view->predecessors.start[v + 1]; i++) {
            uint64_t before = branches->running[view->predecessors.item[i]];
            running = before > running ? before : running;
        }
        branches->running[v] = running;
        branches->gain[v] = (int64_t)(running - result);
        branches->as_listed[v] = is_concat(view, v);
    }
}

static enum status order_by_branches(const struct order_row *row, const struct order_task *task,
                                     uint32_t *permutation, struct order_report *report,
                                     struct error *error)
{
    struct branches branches = {.view = task->view};
    struct scratch *scratch = task->scratch;
    uint32_t count = task->view->operators;
    (void)row;
    TRY(scratch_take(scratch, &branches.running, count, sizeof(uint64_t), error));
    TRY(scratch_take(scratch, &branches.gain, count, sizeof(int64_t), error));
    TRY(scratch_take(scratch, &branches.as_listed, count, sizeof(bool), error));
    follow_branches(&branches);
    TRY(post_order_by_gain(task->view, branches.gain, branches.as_listed, permutation, scratch,
                           error));
    return order_report_feasible(task->view, permutation, report, error);
}

const struct order_row order_xten = {
    .name = "xten",
    .title = "where branches meet, the largest beyond its result first",
    .source = "AMD XTen, XTenMinimizeLiveTensors.cpp",
    .order = order_by_branches,
};
