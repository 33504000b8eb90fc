#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_ORDERS_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_ORDERS_H

#include "heuristics/order_search/order_search.h"

/* OmniMalloc (Peddinghaus, 2025, src/python/omnimalloc/allocators/greedy.py and random.py): its
   seven orders, of which the first with the least peak wins, and its best of random orders. Ties
   keep the order of the problem. A duration is the number of live steps, so holes do not count. */
enum { OMNI_ORDERS = 7 };

/* Names of rows of the table in order.h. */
extern const char *const omni_order[OMNI_ORDERS];

extern const struct order_search_rule omni_greedy_rule, omni_random_rule;
extern const struct planner_option omni_random_options[];

#endif
