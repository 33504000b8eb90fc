#ifndef MEMPLAN_PLANNING_ORDER_ORDER_VIEW_BUILDER_H
#define MEMPLAN_PLANNING_ORDER_ORDER_VIEW_BUILDER_H

#include "planning/order/order_owners.h"

struct order_view;

/* What is known of a view while it is made. */
struct order_view_builder {
    const struct order_scope *scope;
    struct order_view *view;
    uint32_t *op_of;            /* [operators of the graph] of the view, that holds it */
    uint32_t *tensor_of;        /* [tensors of the graph] of the view, ORDER_NONE */
    uint32_t *mark;             /* [tensors of the view] row of inputs that has it last */
    struct order_lists through; /* [tensors] that are needed as long as this one is */
    size_t tensor_capacity, bytes_capacity, spared_capacity;
    uint32_t spared; /* rows of view->spared */
    struct error *error;
};

/* order_spared.c. Lists what each operator takes less as inputs die with it; all else of the view
   but first_bytes is there already. */
enum status order_view_list_spared(struct order_view_builder *builder);

#endif
