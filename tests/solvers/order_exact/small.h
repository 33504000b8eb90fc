#ifndef MEMPLAN_TESTS_SOLVERS_ORDER_EXACT_SMALL_H
#define MEMPLAN_TESTS_SOLVERS_ORDER_EXACT_SMALL_H

#include "planning/order/order_view.h"

/* Small graphs with everything that a view may have; region_least_load tries all their downsets. */

enum { SMALL_MOST_OPERATORS = 12 };

/* Whole of a graph by chance: unread and external tensors, several outputs, control edges, parts
   that nothing joins, inputs that are read and kept, operators that take more than they write. With
   overwrite some outputs may be written over an input. The caller frees the view. */
struct order_view *small_view(uint64_t seed, bool overwrite);

#endif
