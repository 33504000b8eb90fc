#ifndef MEMPLAN_RESULTS_VIEWS_ORDER_FRONTS_H
#define MEMPLAN_RESULTS_VIEWS_ORDER_FRONTS_H

#include "results/store/measures.h"

/* Time against on-chip bytes of graphs in several orders of their operators, under every mode of
   weight transfers, as `memplan reproduce dma-orders` stores them: the variants "ORDER MODE 000",
   001, ... of the topic ORDER_FRONTS_TOPIC have the measures total_ns and on_chip_bytes. */
#define ORDER_FRONTS_TOPIC "dma-orders"
enum { ORDER_FRONTS_NAME_BYTES = 48 };

struct order_front_point {
    const char *instance; /* of the set */
    char order[ORDER_FRONTS_NAME_BYTES], mode[ORDER_FRONTS_NAME_BYTES];
    int64_t total_ns, on_chip_bytes;
};

/* Reads the next point and moves *next, which is 0 at first, behind it; false at the end. */
bool order_fronts_next(const struct measure_set *set, uint32_t *next,
                       struct order_front_point *point);

/* Whether another point of the instance needs no more time and no more bytes, and less of one of
   them. O(measures). */
bool order_fronts_is_beaten(const struct measure_set *set, const struct order_front_point *point);

#endif
