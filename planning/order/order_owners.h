#ifndef MEMPLAN_PLANNING_ORDER_ORDER_OWNERS_H
#define MEMPLAN_PLANNING_ORDER_ORDER_OWNERS_H

#include "planning/order/order_view.h"

/* The bytes of operators that own regions, as order_owners says. */

/* Bytes of the output at a position of operator o of the graph; any operator. */
enum status order_owners_result(const struct order_scope *scope, uint32_t o, uint32_t position,
                                uint64_t *bytes, struct error *error);

/* Adds to the open row what region r leaves as its yield at a position, each tensor
   once: the yield itself, or where that is the result of an If, what the branches of that leave. */
enum status order_owners_sources(const struct graph *graph, uint32_t r, uint32_t position,
                                 struct order_lists *sources, struct error *error);

/* Bytes that an operator with regions takes beside its outputs: while it runs, and up to the last
   reader of its results. At most one of them is not 0. O(its regions and their yields). */
struct order_scratch {
    uint64_t running_bytes, block_bytes;
};
enum status order_owners_scratch(const struct order_scope *scope, uint32_t o,
                                 uint64_t outputs_bytes, struct order_scratch *scratch,
                                 struct error *error);

#endif
