#ifndef MEMPLAN_HEURISTICS_COMMON_ORDER_H
#define MEMPLAN_HEURISTICS_COMMON_ORDER_H

#include "core/sort.h"
#include "heuristics/common/order_facts.h"

/* In what order buffers are placed: by the first key, ties by the next, then by position. */

struct order {
    const char *name;
    const char *title;
    struct sort_key key[SORT_MOST_KEYS]; /* their context is a struct order_facts */
    unsigned facts;                      /* of enum order_fact, that the keys read */
    bool random;                         /* a shuffle by the seed */
};

uint32_t order_count(void);
const struct order *order_at(uint32_t index);
const struct order *order_find(const char *name); /* NULL if there is none */

/* Keys that orders outside the table share: bytes; the first step, one past the last step and all
   steps between them, with the holes. */
uint64_t order_size(const void *facts, uint32_t buffer);
uint64_t order_first_step(const void *facts, uint32_t buffer);
uint64_t order_end_step(const void *facts, uint32_t buffer);
uint64_t order_span(const void *facts, uint32_t buffer);
/* The position in the problem, whatever the context is. */
uint64_t order_position(const void *context, uint32_t buffer);

/* a * b, or UINT64_MAX where that is more. */
uint64_t order_product(uint64_t a, uint64_t b);

/* Fills sorted[problem->buffers] with the buffers in order. O(n), and what the facts cost. */
enum status order_sort(const struct order *order, const struct problem *problem, uint64_t seed,
                       uint32_t *sorted, struct error *error);

/* Takes the fixed buffers out of sorted[problem->buffers]; returns how many others are left. */
uint32_t order_drop_fixed(const struct problem *problem, uint32_t *sorted);

#endif
