#include "planning/order/graph_reorder.h"

#include "planning/graph/copy.h"

static enum status copy_in_order(struct graph_copier *copier, uint32_t region)
{
    const struct graph_order *order = copier->context;
    for (uint32_t i = order->first[region]; i < order->first[region + 1]; i++)
        TRY(graph_copy_operator(copier, order->op[i]));
    return STATUS_OK;
}

enum status graph_reorder(const struct graph *graph, const struct graph_order *order,
                          struct graph **reordered, struct error *error)
{
    struct graph_copier copier = {
        .graph = graph, .copy_operators = copy_in_order, .context = order, .error = error};
    return graph_copy(&copier, reordered);
}
