#ifndef MEMPLAN_HEURISTICS_COMMON_ORDER_H
#define MEMPLAN_HEURISTICS_COMMON_ORDER_H

#include <stdbool.h>

#include "heuristics/common/order_facts.h"

/* In what order buffers are placed: by the first key, ties by the next, then by position. */

typedef uint64_t order_key(const struct order_facts *facts, uint32_t buffer);

enum { ORDER_MOST_KEYS = 4 };

struct order {
    const char *name;
    const char *title;
    struct {
        order_key *value; /* NULL ends the keys */
        bool descending;
    } key[ORDER_MOST_KEYS];
    unsigned facts;   /* of enum order_fact, that the keys read */
    bool later_first; /* ties by position, the last one first */
    bool random;      /* a shuffle by the seed */
};

uint32_t order_count(void);
const struct order *order_at(uint32_t index);
const struct order *order_find(const char *name); /* NULL if there is none */

/* Fills sorted[problem->buffers] with the buffers in order. O(n), and what the facts cost. */
enum status order_sort(const struct order *order, const struct problem *problem, uint64_t seed,
                       uint32_t *sorted, struct error *error);

#endif
