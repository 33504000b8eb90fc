#ifndef MEMPLAN_HEURISTICS_COMMON_ORDER_H
#define MEMPLAN_HEURISTICS_COMMON_ORDER_H

#include "core/sort.h"
#include "heuristics/common/order_facts.h"

/* An order in which buffers are placed: sorted by the first key, ties by the next key, then by
   position in the problem. */

struct order {
    const char *name;
    const char *title;
    struct sort_key key[SORT_MOST_KEYS]; /* their context is a struct order_facts */
    unsigned facts;                      /* bits of enum order_fact: what the keys read */
    bool random;                         /* a random order that depends on the seed alone */
};

uint32_t order_count(void);
const struct order *order_at(uint32_t index);
const struct order *order_find(const char *name); /* NULL if there is none */

/* Keys that orders outside the table use too. All get a struct order_facts: the bytes of a buffer,
   its first step, one past its last step, and the number of steps in between with the holes. */
uint64_t order_size(const void *facts, uint32_t buffer);
uint64_t order_first_step(const void *facts, uint32_t buffer);
uint64_t order_end_step(const void *facts, uint32_t buffer);
uint64_t order_span(const void *facts, uint32_t buffer);
/* The buffer's position in the problem; the context is not used. */
uint64_t order_position(const void *context, uint32_t buffer);

/* a * b, or UINT64_MAX where the product is larger than that. */
uint64_t order_product(uint64_t a, uint64_t b);

/* Fills sorted[problem->buffers] with the buffers in the order. O(n), and the cost of finding the
   facts that its keys read. */
enum status order_sort(const struct order *order, const struct problem *problem, uint64_t seed,
                       uint32_t *sorted, struct error *error);

/* Takes the fixed buffers out of sorted[problem->buffers]; returns how many others are left. */
uint32_t order_drop_fixed(const struct problem *problem, uint32_t *sorted);

#endif
