#ifndef MEMPLAN_HEURISTICS_ORDER_H
#define MEMPLAN_HEURISTICS_ORDER_H

#include "planning/conflicts.h"

/* In what order buffers are placed: by the first key, ties by the second, then by position. */

typedef uint64_t order_key(const struct problem *problem, const struct conflicts *conflicts,
                           uint32_t buffer);

struct order {
    const char *name;
    const char *title;
    struct {
        order_key *value; /* NULL ends the keys */
        bool descending;
    } key[2];
};

uint32_t order_count(void);
const struct order *order_at(uint32_t index);
const struct order *order_find(const char *name); /* NULL if there is none */

/* Fills sorted[problem->buffers] with the buffers in order. O(n log n). */
enum status order_sort(const struct order *order, const struct problem *problem,
                       const struct conflicts *conflicts, uint32_t *sorted, struct error *error);

#endif
