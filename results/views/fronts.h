#ifndef MEMPLAN_RESULTS_VIEWS_FRONTS_H
#define MEMPLAN_RESULTS_VIEWS_FRONTS_H

#include "results/store/measures.h"

/* Fronts of time against on-chip bytes as `memplan reproduce dma-front` stores them: for each
   instance the variants "bound", a mode's name, and "planned PLANNER 000", 001, ...; with
   FRONTS_IN_ORDER in place of the planner's name these are the points of large_first whose
   transfers start in the order of need and whose weights are never kept. */
#define FRONTS_TOPIC "dma-front"
#define FRONTS_IN_ORDER "in_order"

struct front_point {
    int64_t total_ns, on_chip_bytes;
};

/* The instance after the one given, the first after NULL; NULL after the last. */
const char *fronts_next(const struct measure_set *set, const char *instance);

bool fronts_mode(const struct measure_set *set, const char *instance, const char *mode,
                 struct front_point *point);
/* Points are in order of time, fastest first. */
bool fronts_planned(const struct measure_set *set, const char *instance, const char *planner,
                    unsigned index, struct front_point *point);

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

/* Whether another point of the instance is better: it needs no more time and no more bytes, and
   less of at least one. O(measures). */
bool order_fronts_is_beaten(const struct measure_set *set, const struct order_front_point *point);

#endif
