#ifndef MEMPLAN_SOLVERS_ORDER_EXACT_BY_PARTS_H
#define MEMPLAN_SOLVERS_ORDER_EXACT_BY_PARTS_H

#include "planning/order/order.h"
#include "solvers/order_exact/model/answer.h"

/* Searches each part of a view, one after another, by one of the searches of this folder, and joins
   their orders. */
struct order_by_parts {
    enum status (*search)(const struct order_model *model, const struct order_effort *effort,
                          struct order_answer *answer, struct error *error);
    unsigned rules;      /* bits of enum order_rule */
    uint32_t width;      /* of the beams */
    uint64_t most_bytes; /* of memory for states, as far as the task allows */
};

/* As order_row.order: optimal where the load is proved, else feasible. */
enum status order_by_parts(const struct order_by_parts *how, const struct order_task *task,
                           uint32_t *permutation, struct order_report *report, struct error *error);

#endif
