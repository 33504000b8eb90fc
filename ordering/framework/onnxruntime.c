/* ONNX Runtime's default run order: a walk from what nobody reads, the last stored first, along
   inputs, the last first, that emits an operator when it leaves it; and the order of its load-time
   sort, which first emits every operator that waits for nothing. Shape and Size, in all, come
   right after what they read.

   Its memory-efficient order for training (PR 20258) knows where the forward pass ends, at its
   YieldOp, here also at the one Loss of a training graph. What leads there is walked back from it;
   what comes of it runs breadth first, each operator right after those that it waits for and that
   have nothing to do with it, which read only what the forward pass left. What leads to neither
   comes last. A graph without such an operator has the default order. */

#include <string.h>

#include "ordering/common/post_order.h"
#include "planning/inplace/types.h"
#include "planning/order/order.h"

enum rule { FROM_LEAVES, ROOTS_FIRST, TRAINING };

static const enum rule roots_first = ROOTS_FIRST, training = TRAINING;

static enum rule get_rule(const struct order_row *row)
{
    return row->rule ? *(const enum rule *)row->rule : FROM_LEAVES;
}

/* Fills *inputs with the predecessors of each operator, the last first; it shares their rows. */
static enum status list_inputs(const struct order_task *task, struct order_lists *inputs,
                               struct error *error)
{
    const struct order_lists *before = &task->view->predecessors;
    *inputs = *before;
    TRY(scratch_take(task->scratch, &inputs->item, before->start[before->rows], sizeof(uint32_t),
                     error));
    for (uint32_t v = 0; v < before->rows; v++)
        for (uint32_t i = 0; i < order_lists_count(before, v); i++)
            inputs->item[before->start[v] + i] = order_lists_end(before, v)[-1 - (int64_t)i];
    return STATUS_OK;
}

static bool has_type(const struct order_view *view, uint32_t op, const char *type)
{
    const struct graph *graph = view->graph;
    return graph && strcmp(graph_label(graph, graph->op[view->graph_operator[op]].type), type) == 0;
}

/* The operator at which the forward pass ends; ORDER_NONE where there is none, or several. */
static uint32_t find_yield(const struct order_view *view)
{
    uint32_t found = ORDER_NONE, count = 0;
    for (uint32_t v = 0; v < view->operators; v++)
        if (has_type(view, v, "YieldOp") || has_type(view, v, "Loss")) {
            found = v;
            count++;
        }
    return count == 1 ? found : ORDER_NONE;
}

/* The backward pass: all operators that wait for the yielding operator. */
struct backward {
    const struct order_view *view;
    bool *comes;       /* [operators] belongs to the backward pass, or is the yielding one */
    uint32_t *waiting; /* [operators] how many of its predecessors are such and have not run */
    uint32_t *queue;   /* [operators] */
    uint32_t first, end;
};

static void find_backward(struct backward *backward, uint32_t yield)
{
    const struct order_lists *before = &backward->view->predecessors;
    backward->comes[yield] = true;
    for (uint32_t v = yield + 1; v < before->rows; v++) {
        for (const uint32_t *p = order_lists_begin(before, v); p < order_lists_end(before, v); p++)
            backward->waiting[v] += backward->comes[*p];
        backward->comes[v] = backward->waiting[v] > 0;
    }
}

static void emit(struct backward *backward, uint32_t op, struct post_order *walk)
{
    const struct order_view *view = backward->view;
    post_order_visit(walk, op);
    for (const uint32_t *s = order_lists_begin(&view->successors, op);
         s < order_lists_end(&view->successors, op); s++)
        if (--backward->waiting[*s] == 0)
            backward->queue[backward->end++] = *s;
}

/* Emits the forward pass and then the backward pass. When an operator of the backward pass is
   walked from, all that it waits for in this pass was emitted before, so that the walk finds only
   the rest. */
static enum status walk_training(const struct order_task *task, uint32_t yield,
                                 struct post_order *walk, struct error *error)
{
    const struct order_view *view = task->view;
    struct backward backward = {.view = view};
    TRY(scratch_take(task->scratch, &backward.comes, view->operators, sizeof(bool), error));
    TRY(scratch_take(task->scratch, &backward.waiting, view->operators, sizeof(uint32_t), error));
    TRY(scratch_take(task->scratch, &backward.queue, view->operators, sizeof(uint32_t), error));
    find_backward(&backward, yield);
    emit(&backward, yield, walk);
    while (backward.first < backward.end)
        emit(&backward, backward.queue[backward.first++], walk);
    return STATUS_OK;
}

static enum status walk_inputs(const struct order_row *row, const struct order_task *task,
                               uint32_t *emitted, struct error *error)
{
    const struct order_view *view = task->view;
    uint32_t yield = get_rule(row) == TRAINING ? find_yield(view) : ORDER_NONE;
    struct order_lists inputs;
    struct post_order walk;
    TRY(list_inputs(task, &inputs, error));
    TRY(post_order_create(&walk, &inputs, emitted, task->scratch, error));
    if (yield != ORDER_NONE)
        TRY(walk_training(task, yield, &walk, error));
    for (uint32_t v = 0; v < view->operators && get_rule(row) == ROOTS_FIRST; v++)
        if (!order_lists_count(&view->predecessors, v))
            post_order_visit(&walk, v);
    for (uint32_t v = view->operators; v-- > 0;)
        if (!order_lists_count(&view->successors, v))
            post_order_visit(&walk, v);
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

static void place_shapes(const struct order_view *view, const uint32_t *emitted,
                         uint32_t *permutation)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->operators; i++) {
        if (is_shape(view, emitted[i]))
            continue;
        permutation[count++] = emitted[i];
        for (uint32_t at = count - 1; at < count; at++)
            for (const uint32_t *s = order_lists_begin(&view->successors, permutation[at]);
                 s < order_lists_end(&view->successors, permutation[at]); s++)
                if (is_shape(view, *s))
                    permutation[count++] = *s;
    }
}

static enum status order_from_leaves(const struct order_row *row, const struct order_task *task,
                                     uint32_t *permutation, struct order_report *report,
                                     struct error *error)
{
    uint32_t *emitted;
    TRY(scratch_take(task->scratch, &emitted, task->view->operators, sizeof *emitted, error));
    TRY(walk_inputs(row, task, emitted, error));
    place_shapes(task->view, emitted, permutation);
    return order_report_feasible(task->view, permutation, report, error);
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
