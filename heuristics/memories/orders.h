#ifndef MEMPLAN_HEURISTICS_MEMORIES_ORDERS_H
#define MEMPLAN_HEURISTICS_MEMORIES_ORDERS_H

#include "planning/memories/model.h"

/* Orders in which nodes are placed. */
enum memory_order {
    MEMORY_ORDER_SIZE,        /* largest first, then earliest birth */
    MEMORY_ORDER_BIRTH,       /* earliest birth first */
    MEMORY_ORDER_PENALTY,     /* greatest sum of penalties first, then the largest */
    MEMORY_ORDER_BOUNDEDNESS, /* what the cheapest memory saves compared with the most expensive
                                 one, divided by the square root of the size, greatest first */
    MEMORY_ORDER_BENEFIT, /* what the cheapest memory saves against the dearest, for each byte and
                             step, greatest first */
    MEMORY_ORDERS
};

/* Fills order[nodes]; ties by number. O(nodes log nodes + edges). */
enum status memory_order_make(const struct memory_model *model, enum memory_order kind,
                              uint32_t *order, struct error *error);

#endif
