/* ONNX Runtime's default run order: a walk from the operators that nobody reads, the last stored
   first, along their inputs, the last first, which emits an operator when it leaves it. Also the
   order of its load-time sort, which first emits every operator that waits for nothing. In all of
   its orders, Shape and Size come right after what they read.

   Its memory-efficient order for training (PR 20258) knows where the forward pass ends, at its
   YieldOp, here also at the one Loss of a training graph. The operators before that point are
   walked backwards from it. Those that depend on it run breadth first; right before each of them
   come the operators that it waits for but that do not depend on that point, which read only what
   the forward pass left. All others come last. A graph without such an operator has the default
   order. */

#include <assert.h>
#include <string.h>

#include "ordering/common/post_order.h"
#include "planning/inplace/types.h"
#include "planning/order/order.h"

enum rule { FROM_LEAVES, ROOTS_FIRST, TRAINING };

static const enum rule roots_first = ROOTS_FIRST, training = TRAINING;

static bool has_type(const struct order_view *view, uint32_t op, const char *type)
{
    const struct graph *graph = view->graph;
    return graph && strcmp(graph_label(graph, graph->op[view->graph_operator[op]].type), type) == 0;
}

/* Emits the forward pass and then the backward pass, which is all operators that wait for the
   yielding one, at which the forward pass ends. When a walk starts from an operator of the backward
   pass, all that it waits for in this pass has been emitted, so the walk finds only the rest. */
static enum status walk_training(const struct order_task *task, uint32_t yield,
                                 struct post_order *walk, struct error *error)
{
    const struct order_lists *before = &task->view->predecessors, *after = &task->view->successors;
    uint32_t
        *waiting; /* [operators] predecessors in the pass, or the yielding one, that have not run */
    uint32_t *queue; /* [operators] */
    uint32_t end = 0, operators = task->view->operators;
    bool *is_backward; /* [operators] or it is the yielding one */
    TRY(scratch_take_all(task->scratch, operators, error, &is_backward, &waiting, &queue));
    is_backward[yield] = true;
    for (uint32_t v = yield + 1; v < operators; v++) {
        for (uint32_t i = before->start[v]; i < before->start[v + 1]; i++)
            waiting[v] += is_backward[before->item[i]];
        is_backward[v] = waiting[v] > 0;
    }
    queue[end++] = yield;
    for (uint32_t first = 0; first < end; first++) {
        uint32_t op = queue[first];
        post_order_visit(walk, op);
        for (uint32_t i = after->start[op]; i < after->start[op + 1]; i++)
            if (--waiting[after->item[i]] == 0)
                queue[end++] = after->item[i];
    }
    return STATUS_OK;
}

static bool is_shape(const struct order_view *view, uint32_t op)
{
    if (!view->graph || order_lists_count(&view->predecessors, op) != 1)
        return false;
    const struct graph_operator *shape = &view->graph->op[view->graph_operator[op]];
    const char *type = graph_label(view->graph, shape->type);
    return inplace_type_is(type, "Shape", 5) || inplace_type_is(type, "Size", 4);
}

static enum status order_from_leaves(const struct order_row *row, const struct order_task *task,
                                     uint32_t *permutation, struct order_report *report,
                                     struct error *error)
{
    const struct order_view *view = task->view;
    const struct order_lists *before = &view->predecessors, *after = &view->successors;
    enum rule rule = row->rule ? *(const enum rule *)row->rule : FROM_LEAVES;
    struct order_lists inputs = *before; /* the predecessors of each operator, the last first */
    struct post_order walk;
    uint32_t *emitted, yield = ORDER_NONE, yields = 0, count = 0;
    TRY(scratch_take(task->scratch, &emitted, view->operators, sizeof *emitted, error));
    TRY(scratch_take(task->scratch, &inputs.item, before->start[view->operators], sizeof(uint32_t),
                     error));
    for (uint32_t v = 0; v < view->operators; v++) {
        for (uint32_t i = 0; i < order_lists_count(before, v); i++)
            inputs.item[before->start[v] + i] = before->item[before->start[v + 1] - 1 - i];
        if (has_type(view, v, "YieldOp") || has_type(view, v, "Loss")) {
            yield = v;
            yields++;
        }
    }
    TRY(post_order_create(&walk, &inputs, emitted, task->scratch, error));
    if (rule == TRAINING && yields == 1)
        TRY(walk_training(task, yield, &walk, error));
    for (uint32_t v = 0; v < view->operators && rule == ROOTS_FIRST; v++)
        if (!order_lists_count(before, v))
            post_order_visit(&walk, v);
    for (uint32_t v = view->operators; v-- > 0;)
        if (!order_lists_count(after, v))
            post_order_visit(&walk, v);
    assert(walk.count == view->operators);
    /* Shapes come right behind what they are of, and shapes of shapes behind these. */
    for (uint32_t i = 0; i < view->operators; i++) {
        uint32_t at = count;
        if (is_shape(view, emitted[i]))
            continue;
        for (permutation[count++] = emitted[i]; at < count; at++)
            for (uint32_t k = after->start[permutation[at]]; k < after->start[permutation[at] + 1];
                 k++)
                if (is_shape(view, after->item[k]))
                    permutation[count++] = after->item[k];
    }
    return order_report_feasible(view, permutation, report, error);
}

const struct order_row order_onnxruntime = {
    .name = "onnxruntime",
    .title = "post-order from the last leaf, the last input first; shapes at once",
    .source = "ONNX Runtime, graph_viewer.cc, the default order; PR 18410",
    .order = order_from_leaves,
};

const struct order_row order_onnxruntime_load = {
    .name = "onnxruntime_load",
    .title = "the same, behind every operator that waits for nothing",
    .source = "ONNX Runtime, graph.cc, the sort of a loaded model",
    .rule = &roots_first,
    .order = order_from_leaves,
};

const struct order_row order_onnxruntime_training = {
    .name = "onnxruntime_training",
    .title = "forward pass from its end, backward pass breadth first, the rest where it is read",
    .source = "ONNX Runtime, graph.cc, memory-efficient order; PR 20258",
    .rule = &training,
    .order = order_from_leaves,
};
