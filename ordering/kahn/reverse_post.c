/* Reverse post-order: a depth-first walk goes from the operators without predecessors, in stored
   order, to the operators that follow each, in stored order too. The order is that in which the
   walk leaves the operators, turned round. */

#include "ordering/common/post_order.h"
#include "planning/order/order.h"

static void reverse(uint32_t *item, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t other = item[i];
        item[i] = item[count - 1 - i];
        item[count - 1 - i] = other;
    }
}

static enum status order_reverse_post_run(const struct order_row *row,
                                          const struct order_task *task, uint32_t *permutation,
                                          struct order_report *report, struct error *error)
{
    const struct order_view *view = task->view;
    struct post_order walk;
    (void)row;
    TRY(post_order_create(&walk, &view->successors, permutation, error));
    for (uint32_t v = 0; v < view->operators; v++)
        if (!order_lists_count(&view->predecessors, v))
            post_order_visit(&walk, v);
    post_order_free(&walk);
    reverse(permutation, view->operators);
    return order_report_feasible(view, permutation, report, error);
}

const struct order_row order_reverse_post = {
    .name = "reverse_post",
    .title = "reverse post-order of a depth-first walk",
    .source = "Wang et al., DAC 2022, the baseline; many compilers",
    .order = order_reverse_post_run,
};
