#include "harness/orders/order_bound.h"

#include "planning/order/order_view.h"
#include "solvers/order_exact/cut.h"
#include "solvers/order_exact/model.h"

static const uint64_t most_bytes = UINT64_C(256) << 20;

static enum status bound_view(const struct order_view *view, uint64_t *bound_bytes,
                              struct error *error)
{
    struct order_model *model;
    enum status status = order_model_create(view, ORDER_MUST_LIVE, most_bytes, &model, error);
    if (status)
        return status == STATUS_LIMIT ? STATUS_OK : status;
    *bound_bytes = order_model_bound(model);
    if (view->operators <= ORDER_BOUND_MOST_CUT)
        status = order_cut_bound(model, UINT64_MAX, bound_bytes, error);
    order_model_free(model);
    return status;
}

enum status order_bound_find(const struct graph *graph, uint64_t *bound_bytes, struct error *error)
{
    struct order_view *view;
    *bound_bytes = 0;
    if (graph_has_control_flow(graph))
        return STATUS_OK;
    TRY(order_view_create(&(struct order_scope){.graph = graph}, &view, error));
    enum status status = view->operators ? bound_view(view, bound_bytes, error) : STATUS_OK;
    order_view_free(view);
    return status;
}
