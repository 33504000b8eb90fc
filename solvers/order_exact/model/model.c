#include "solvers/order_exact/model/model.h"

#include "core/memory.h"

void order_model_free(struct order_model *model)
{
    if (!model)
        return;
    memory_free(model->ancestors);
    memory_free(model->descendants);
    memory_free(model->used_by);
    memory_free(model->most_uses);
    order_lists_free(&model->heads);
    memory_free(model->lazy);
    memory_free(model->twin);
    memory_free(model->left_bytes);
    memory_free(model->must_bytes);
    memory_free(model->first_weight);
    memory_free(model->weight);
    memory_free(model->key);
    order_lists_free(&model->lazies);
    order_lists_free(&model->base);
    order_lists_free(&model->above);
    memory_free(model);
}

uint64_t order_model_own_bytes(const struct order_model *model, uint32_t op)
{
    const struct order_view *view = model->view;
    return view->alloc_bytes[op] - order_view_spared(view, op, NULL);
}

uint64_t order_model_bound(const struct order_model *model)
{
    const struct order_view *view = model->view;
    uint64_t inputs = 0, outputs = 0, bound;
    for (uint32_t t = 0; t < view->tensors; t++) {
        if (view->producer[t] == ORDER_NONE && order_view_is_needed(view, t))
            inputs += view->bytes[t];
        if (view->kept[t])
            outputs += view->bytes[t];
    }
    inputs += view->first_bytes;
    bound = inputs > outputs ? inputs : outputs;
    for (uint32_t v = 0; v < model->operators; v++)
        if (model->must_bytes[v] > bound)
            bound = model->must_bytes[v];
    return bound;
}
