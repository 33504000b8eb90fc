/* Liu's orders of trees, in which every operator has at most one reader. liu_postorder (1986) has
   the least load of those orders that finish a subtree before they begin the next: of the subtrees
   below an operator the one with the greatest difference of peak and result comes first. liu (1987)
   has the least load of all orders: subtrees are cut at their hills and valleys and merged, as in
   series_parallel. For a graph that is no tree both apply the rule of liu_postorder along a
   depth-first walk. */

#include <stdlib.h>

#include "ordering/common/post_order.h"
#include "planning/order/order.h"

struct child {
    int64_t gain; /* peak less result */
    uint64_t result, peak;
};

static int compare_children(const void *a, const void *b)
{
    const struct child *first = a, *second = b;
    return (first->gain < second->gain) - (first->gain > second->gain);
}

static enum status order_by_subtrees(const struct order_row *row, const struct order_task *task,
                                     uint32_t *permutation, struct order_report *report,
                                     struct error *error)
{
    const struct order_view *view = task->view;
    const struct order_lists *before = &view->predecessors;
    struct scratch *scratch = task->scratch;
    struct child *child; /* [operators] the subtrees below the operator at hand */
    uint64_t *result, *peak;
    int64_t *gain;
    (void)row;
    TRY(scratch_take_all(scratch, view->operators, error, &result, &peak, &gain, &child));
    /* Outside of trees subtrees may share operators; each counts them in full. */
    for (uint32_t v = 0; v < view->operators; v++) {
        uint32_t first = before->start[v], children = order_lists_count(before, v);
        uint64_t live = 0;
        for (uint32_t i = 0; i < children; i++) {
            uint32_t op = before->item[first + i];
            child[i] = (struct child){gain[op], result[op], peak[op]};
        }
        if (children > 1)
            qsort(child, children, sizeof *child, compare_children);
        for (uint32_t i = 0; i < children; i++) {
            peak[v] = live + child[i].peak > peak[v] ? live + child[i].peak : peak[v];
            live += child[i].result;
        }
        live += view->alloc_bytes[v];
        peak[v] = live > peak[v] ? live : peak[v];
        result[v] = order_view_sum(view, &view->outputs, v);
        gain[v] = (int64_t)(peak[v] - result[v]);
    }
    TRY(post_order_by_gain(view, gain, NULL, permutation, scratch, error));
    return order_report_feasible(view, permutation, report, error);
}

extern const struct order_row order_series_parallel;

static enum status order_trees(const struct order_row *row, const struct order_task *task,
                               uint32_t *permutation, struct order_report *report,
                               struct error *error)
{
    for (uint32_t v = 0; v < task->view->operators; v++)
        if (order_lists_count(&task->view->successors, v) > 1)
            return order_by_subtrees(row, task, permutation, report, error);
    return order_ask(&order_series_parallel, task, permutation, report, error);
}

const struct order_row order_liu_postorder = {
    .name = "liu_postorder",
    .title = "one subtree after the other, by peak less result",
    .source = "Liu 1986",
    .order = order_by_subtrees,
};

const struct order_row order_liu = {
    .name = "liu",
    .title = "the least load of trees, else as liu_postorder",
    .source = "Liu 1987, An application of generalized tree pebbling",
    .flags = ORDER_EXACT | ORDER_CLASS,
    .order = order_trees,
};
