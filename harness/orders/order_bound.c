#include "harness/orders/order_bound.h"

#include "planning/order/order_view.h"
#include "solvers/order_exact/bounds/cut.h"
#include "solvers/order_exact/model/model.h"

static const uint64_t most_bytes = UINT64_C(256) << 20;

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

enum status order_bound_find(const struct graph *graph, const struct inplace_choice *inplace,
                             uint64_t *bound_bytes, struct error *error)
{
    SCOPED(inplace_possibles_clear) struct inplace_possibles possibles = {0};
    SCOPED(order_view_release) struct order_view *view = NULL;
    SCOPED(order_model_release) struct order_model *model = NULL;
    const struct order_scope scope = {
        .graph = graph, .owners = ORDER_OWNERS_LEAST, .possibles = &possibles};
    *bound_bytes = 0;
    if (graph_has_control_flow(graph))
        return STATUS_OK;
    TRY(inplace_find_possible(graph, inplace, &possibles, error));
    TRY(order_view_create(&scope, &view, error));
    if (!view->operators)
        return STATUS_OK;
    /* All inputs of the graph, and all of its outputs, are live at once. */
    uint64_t inputs = view->first_bytes, outputs = 0;
    for (uint32_t t = 0; t < view->tensors; t++) {
        bool read = order_view_is_needed(view, t);
        inputs += view->producer[t] == ORDER_NONE && read ? view->bytes[t] : 0;
        outputs += view->kept[t] ? view->bytes[t] : 0;
    }
    *bound_bytes = greater(inputs, outputs);
    /* So is what an operator reads and what it takes, less all outputs that could be written over
       inputs. */
    for (uint32_t v = 0; v < view->operators; v++) {
        uint64_t bytes = view->alloc_bytes[v] - order_view_spared(view, v, NULL);
        for (uint32_t i = view->inputs.start[v]; i < view->inputs.start[v + 1]; i++)
            bytes += view->bytes[view->inputs.item[i]];
        *bound_bytes = greater(*bound_bytes, bytes);
    }
    enum status status = order_model_create(view, ORDER_MUST_LIVE, most_bytes, &model, error);
    if (status)
        return status == STATUS_LIMIT ? STATUS_OK : status;
    *bound_bytes = greater(*bound_bytes, order_model_bound(model));
    return view->operators <= ORDER_BOUND_MOST_CUT
               ? order_cut_bound(model, UINT64_MAX, bound_bytes, error)
               : STATUS_OK;
}
