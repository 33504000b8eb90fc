/* Glow's child-size scheduler, which generalises Sethi and Ullman's numbers. The need of an
   operator is found over its operands from left to right: with each one it becomes the greater of
   the need so far plus the operand's result, and the operand's own need. A walk from the operators
   that nobody reads, in stored order, goes first to the operand whose need exceeds its result by
   most; of equal ones to the left one. What writes nothing runs right after the last operand that
   it waits for. */

#include "ordering/common/post_order.h"
#include "planning/order/order.h"

struct needs {
    const struct order_view *view;
    uint64_t *result, *need; /* [operators] bytes */
    int64_t *gain;           /* [operators] need less result */
};

static uint64_t most_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Finds the need of each operator. Where operands share what is below them it may be more than they
   really take, but it fits, as it stays below the bytes of all operands in a row. */
static void find_needs(struct needs *needs)
{
    const struct order_view *view = needs->view;
    for (uint32_t v = 0; v < view->operators; v++) {
        needs->result[v] = order_view_sum(view, &view->outputs, v);
        uint32_t first = view->predecessors.start[v];
        for (uint32_t i = first; i < view->predecessors.start[v + 1]; i++) {
            uint32_t operand = view->predecessors.item[i];
            uint64_t with =
                i == first ? needs->result[operand] : needs->need[v] + needs->result[operand];
            needs->need[v] = most_of(with, needs->need[operand]);
        }
        needs->gain[v] = (int64_t)(needs->need[v] - needs->result[v]);
    }
}

/* True for an operator that writes nothing: it is not reached by the walk but emitted behind its
   operands. */
static bool is_follower(const struct order_view *view, uint32_t op)
{
    return !order_lists_count(&view->outputs, op) && !order_lists_count(&view->successors, op) &&
           order_lists_count(&view->predecessors, op);
}

struct follow {
    const struct order_view *view;
    uint32_t *waiting; /* [operators] predecessors that have not been emitted */
    uint32_t *permutation, count;
};

static void emit(struct follow *follow, uint32_t op)
{
    const struct order_view *view = follow->view;
    follow->permutation[follow->count++] = op;
    for (uint32_t i = view->successors.start[op]; i < view->successors.start[op + 1]; i++) {
        uint32_t reader = view->successors.item[i];
        if (!--follow->waiting[reader] && is_follower(view, reader))
            follow->permutation[follow->count++] = reader;
    }
}

/* Emits the operators in the order of the walk, and right after each those followers that wait for
   nothing else. */
static void emit_all(struct follow *follow, const uint32_t *emitted)
{
    const struct order_view *view = follow->view;
    for (uint32_t v = 0; v < view->operators; v++)
        follow->waiting[v] = order_lists_count(&view->predecessors, v);
    for (uint32_t i = 0; i < view->operators; i++)
        if (!is_follower(view, emitted[i]))
            emit(follow, emitted[i]);
}

static enum status order_by_needs(const struct order_row *row, const struct order_task *task,
                                  uint32_t *permutation, struct order_report *report,
                                  struct error *error)
{
    const struct order_view *view = task->view;
    struct needs needs = {.view = view};
    struct follow follow = {.view = view, .permutation = permutation};
    struct scratch *scratch = task->scratch;
    uint32_t *emitted, count = view->operators;
    (void)row;
    TRY(scratch_take(scratch, &needs.result, count, sizeof *needs.result, error));
    TRY(scratch_take(scratch, &needs.need, count, sizeof *needs.need, error));
    TRY(scratch_take(scratch, &needs.gain, count, sizeof *needs.gain, error));
    TRY(scratch_take(scratch, &follow.waiting, count, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &emitted, count, sizeof *emitted, error));
    find_needs(&needs);
    TRY(post_order_by_gain(view, needs.gain, NULL, emitted, scratch, error));
    emit_all(&follow, emitted);
    return order_report_feasible(view, permutation, report, error);
}

const struct order_row order_glow = {
    .name = "glow",
    .title = "post-order, operands that need most beyond their result first",
    .source = "Glow ChildMemSizeBasedScheduler.cpp; Sethi and Ullman 1970",
    .order = order_by_needs,
};
