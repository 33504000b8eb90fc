/* ONNX Runtime's default run order: a walk from what nobody reads, the last stored first, along
   inputs, the last first, that emits an operator when it leaves it; and the order of its load-time
   sort, which first emits every operator that waits for nothing. Shape and Size, in both, come
   right after what they read. */

#include "core/memory.h"
#include "ordering/common/post_order.h"
#include "planning/inplace/types.h"
#include "planning/order/order.h"

static const bool roots_first = true;

static enum status list_inputs(const struct order_view *view, struct order_lists *inputs,
                               struct error *error)
{
    for (uint32_t v = 0; v < view->operators; v++) {
        uint32_t first = view->predecessors.start[v];
        for (uint32_t i = view->predecessors.start[v + 1]; i > first; i--)
            TRY(order_lists_add(inputs, view->predecessors.item[i - 1], error));
        TRY(order_lists_close_row(inputs, error));
    }
    return STATUS_OK;
}

static enum status walk_inputs(const struct order_row *row, const struct order_view *view,
                               uint32_t *emitted, struct error *error)
{
    struct order_lists inputs = {0};
    struct post_order walk;
    enum status status = list_inputs(view, &inputs, error);
    if (!status)
        status = post_order_create(&walk, &inputs, emitted, error);
    if (!status) {
        for (uint32_t v = 0; v < view->operators && row->rule; v++)
            if (!order_lists_count(&view->predecessors, v))
                post_order_visit(&walk, v);
        for (uint32_t v = view->operators; v-- > 0;)
            if (!order_lists_count(&view->successors, v))
                post_order_visit(&walk, v);
        post_order_free(&walk);
    }
    order_lists_free(&inputs);
    return status;
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
    TRY(memory_create(&emitted, task->view->operators, sizeof *emitted, error));
    enum status status = walk_inputs(row, task->view, emitted, error);
    if (!status)
        place_shapes(task->view, emitted, permutation);
    memory_free(emitted);
    return status ? status : order_report_feasible(task->view, permutation, report, error);
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
