#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_MUST_LIVE_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_MUST_LIVE_H

#include "solvers/order_exact/model/model.h"

/* Fills the bytes of a model that have to be live when an operator runs: must_bytes whatever ran
   before, the weights by what ran, most_must_bytes. They are those of the operator alone unless the
   rules have ORDER_MUST_LIVE. The arrays are there and zero, ancestors and descendants are filled.
   O(tensors * operators). */
enum status order_must_live_fill(struct order_model *model, struct error *error);

#endif
