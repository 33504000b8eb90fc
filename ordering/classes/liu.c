/* Liu's orders of trees, in which every operator has at most one reader. liu_postorder (1986) has
   the least load of those orders that finish a subtree before they begin the next: of the subtrees
   below an operator the one with the greatest difference of peak and result comes first. liu (1987)
   has the least load of all orders: subtrees are cut at their hills and valleys and merged, as
   series_parallel does it. For a graph that is no tree both give the order of liu_postorder along a
   depth-first walk. */

#include <stdlib.h>

#include "ordering/common/post_order.h"
#include "planning/order/order.h"

struct child {
    int64_t gain; /* peak less result */
    uint64_t result, peak;
};

struct subtrees {
    const struct order_view *view;
    uint64_t *result, *peak; /* [operators] bytes */
    int64_t *gain;           /* [operators] */
    struct child *child;     /* [operators] scratch: the subtrees below one operator */
};

static int compare_children(const void *a, const void *b)
{
    const struct child *first = a, *second = b;
    return (first->gain < second->gain) - (first->gain > second->gain);
}

/* Finds the peak of the subtree that ends in v. Outside of trees subtrees may share operators; each
   counts them in full. */
static void find_peak(struct subtrees *subtrees, uint32_t v)
{
    const struct order_lists *lists = &subtrees->view->predecessors;
    uint32_t children = order_lists_count(lists, v);
    uint64_t before = 0, peak = 0;
    for (uint32_t i = 0; i < children; i++) {
        uint32_t op = lists->item[lists->start[v] + i];
        subtrees->child[i] =
            (struct child){subtrees->gain[op], subtrees->result[op], subtrees->peak[op]};
    }
    if (children > 1)
        qsort(subtrees->child, children, sizeof *subtrees->child, compare_children);
    for (uint32_t i = 0; i < children; i++) {
        uint64_t needed = before + subtrees->child[i].peak;
        peak = needed > peak ? needed : peak;
        before += subtrees->child[i].result;
    }
    uint64_t own = before + subtrees->view->alloc_bytes[v];
    subtrees->peak[v] = own > peak ? own : peak;
    subtrees->gain[v] = (int64_t)(subtrees->peak[v] - subtrees->result[v]);
}

static void find_peaks(struct subtrees *subtrees)
{
    const struct order_view *view = subtrees->view;
    for (uint32_t v = 0; v < view->operators; v++) {
        subtrees->result[v] = order_view_sum(view, &view->outputs, v);
        find_peak(subtrees, v);
    }
}

static enum status order_by_subtrees(const struct order_row *row, const struct order_task *task,
                                     uint32_t *permutation, struct order_report *report,
                                     struct error *error)
{
    struct subtrees subtrees = {.view = task->view};
    struct scratch *scratch = task->scratch;
    uint32_t count = task->view->operators;
    (void)row;
    TRY(scratch_take(scratch, &subtrees.result, count, sizeof(uint64_t), error));
    TRY(scratch_take(scratch, &subtrees.peak, count, sizeof(uint64_t), error));
    TRY(scratch_take(scratch, &subtrees.gain, count, sizeof(int64_t), error));
    TRY(scratch_take(scratch, &subtrees.child, count, sizeof *subtrees.child, error));
    find_peaks(&subtrees);
    TRY(post_order_by_gain(task->view, subtrees.gain, NULL, permutation, scratch, error));
    return order_report_feasible(task->view, permutation, report, error);
}

static bool is_forest(const struct order_view *view)
{
    for (uint32_t v = 0; v < view->operators; v++)
        if (order_lists_count(&view->successors, v) > 1)
            return false;
    return true;
}

extern const struct order_row order_series_parallel;

static enum status order_trees(const struct order_row *row, const struct order_task *task,
                               uint32_t *permutation, struct order_report *report,
                               struct error *error)
{
    if (!is_forest(task->view))
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
