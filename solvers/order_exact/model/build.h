#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_BUILD_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_MODEL_BUILD_H

#include "solvers/order_exact/model/model.h"

/* Makes a model of the view, which must outlive it, for the rules, bits of enum order_rule. Memory
   is O(operators * (operators + tensors) / 4) bytes and the weights; STATUS_LIMIT beyond
   most_bytes. The caller frees it with order_model_free. O(operators * (operators + tensors)). */
enum status order_model_create(const struct order_view *view, unsigned rules, uint64_t most_bytes,
                               struct order_model **model, struct error *error);

#endif
