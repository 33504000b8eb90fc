#ifndef MEMPLAN_SOLVERS_WINDOW_HOT_ORDER_H
#define MEMPLAN_SOLVERS_WINDOW_HOT_ORDER_H

#include "solvers/window/draft.h"

/* Fills sorted[buffers] with the order in which first fit leaves little waste: the greatest size *
   sqrt(steps) * heat^20 first, where the heat of a buffer is the most live bytes at any of its
   steps. Large buffers come before small ones, long-lived before short-lived ones, and buffers of
   crowded steps before others. O(segments log segments); 40 bytes of scratch for a buffer. */
enum status hot_order_sort(const struct draft *draft, uint32_t *sorted, struct error *error);

#endif
