#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_ORDERS_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_ORDERS_H

/* The seven orders of OmniMalloc (Peddinghaus, 2025, src/python/omnimalloc/allocators/greedy.py),
   as names of rows of the table in order.h. */
enum { OMNI_ORDERS = 7 };
extern const char *const omni_order[OMNI_ORDERS];

#endif
