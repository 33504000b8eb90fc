/* Glow's child-size scheduler, which generalises Sethi and Ullman's numbers. The need of an
   operator is found over its operands from left to right: with each operand it becomes the greater
   of two numbers: the need so far plus the operand's result, and the operand's own need. A walk
   from the operators that nobody reads, in stored order, goes first to the operand whose need
   exceeds its result by most; of equal ones to the left one. An operator that writes nothing runs
   right after the last operand that it waits for. */

#include <assert.h>

#include "ordering/common/post_order.h"
#include "planning/order/order.h"

/* True for an operator that writes nothing: it is not reached by the walk but emitted behind its
   operands. */
static bool is_follower(const struct order_view *view, uint32_t op)
{
    return !order_lists_count(&view->outputs, op) && !order_lists_count(&view->successors, op) &&
           order_lists_count(&view->predecessors, op);
}

static enum status order_by_needs(const struct order_row *row, const struct order_task *task,
                                  uint32_t *permutation, struct order_report *report,
                                  struct error *error)
{
    const struct order_view *view = task->view;
    const struct order_lists *before = &view->predecessors, *after = &view->successors;
    struct scratch *scratch = task->scratch;
    uint64_t *result, *need; /* [operators] bytes */
    int64_t *gain;           /* [operators] need less result */
    uint32_t *waiting;       /* [operators] predecessors not emitted */
    uint32_t *emitted, operators = view->operators, count = 0;
    (void)row;
    TRY(scratch_take_all(scratch, operators, error, &result, &need, &gain, &waiting, &emitted));
    /* Where operands share what is below them, the need may be more than they really take. It does
       not overflow, since it is at most the sum of the bytes of all operands. */
    for (uint32_t v = 0; v < operators; v++) {
        result[v] = order_view_sum(view, &view->outputs, v);
        waiting[v] = order_lists_count(before, v);
        for (uint32_t i = before->start[v]; i < before->start[v + 1]; i++) {
            uint32_t operand = before->item[i];
            need[v] = i == before->start[v] ? result[operand] : need[v] + result[operand];
            if (need[v] < need[operand])
                need[v] = need[operand];
        }
        gain[v] = (int64_t)(need[v] - result[v]);
    }
    TRY(post_order_by_gain(view, gain, NULL, emitted, scratch, error));
    for (uint32_t i = 0; i < operators; i++) {
        uint32_t op = emitted[i];
        if (is_follower(view, op))
            continue;
        permutation[count++] = op;
        for (uint32_t k = after->start[op]; k < after->start[op + 1]; k++)
            if (!--waiting[after->item[k]] && is_follower(view, after->item[k]))
                permutation[count++] = after->item[k];
    }
    assert(count == operators);
    return order_report_feasible(view, permutation, report, error);
}

const struct order_row order_glow = {
    .name = "glow",
    .title = "post-order, operands that need most beyond their result first",
    .source = "Glow ChildMemSizeBasedScheduler.cpp; Sethi and Ullman 1970",
    .order = order_by_needs,
};
