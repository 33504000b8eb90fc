#ifndef MEMPLAN_TESTS_HEURISTICS_ORDER_SEARCH_OBVIOUS_FIT_H
#define MEMPLAN_TESTS_HEURISTICS_ORDER_SEARCH_OBVIOUS_FIT_H

#include "planning/plan/plan.h"

/* First fit without any of the structures that heuristics/order_search/evaluator.c uses. */

/* Some step is in the lives of both. */
bool obvious_conflict(const struct problem *problem, uint32_t a, uint32_t b);

/* Places the buffers of the order [count] that are not fixed, after all fixed ones, by sizes
   [buffers]; offset [buffers] is filled for all of them. Their peak. */
uint64_t obvious_first_fit(const struct problem *problem, const uint64_t *size,
                           const uint32_t *order, uint32_t count, uint64_t *offset);

/* Sorts by what is greater in `before`, ties by position: insertion, O(n^2). */
typedef bool obvious_before(const struct problem *problem, uint32_t a, uint32_t b);
void obvious_sort(const struct problem *problem, obvious_before *before, uint32_t *order);

uint32_t obvious_degree(const struct problem *problem, uint32_t buffer);

#endif
