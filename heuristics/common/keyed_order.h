#ifndef MEMPLAN_HEURISTICS_COMMON_KEYED_ORDER_H
#define MEMPLAN_HEURISTICS_COMMON_KEYED_ORDER_H

#include "planning/problem/problem.h"

/* Orders of buffers by up to four keys, ascending, ties by position; ~value for descending. */
enum { KEYED_ORDER_KEYS = 4 };

/* Fills key[KEYED_ORDER_KEYS], all 0 before. */
typedef void keyed_order_keys(const struct problem *problem, uint32_t buffer, const void *context,
                              uint64_t *key);

/* Fills sorted[problem->buffers]. O(n). */
enum status keyed_order_sort(const struct problem *problem, keyed_order_keys *keys,
                             const void *context, uint32_t *sorted, struct error *error);

/* From the first step to one past the last one, with the holes. */
uint64_t keyed_order_span(const struct problem *problem, uint32_t buffer);

/* a * b or UINT64_MAX. */
uint64_t keyed_order_product(uint64_t a, uint64_t b);

#endif
