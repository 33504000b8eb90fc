#ifndef MEMPLAN_PLANNING_LIVENESS_SAME_VALUES_H
#define MEMPLAN_PLANNING_LIVENESS_SAME_VALUES_H

#include "planning/graph/graph.h"

/* Which results of Ifs and carried arguments of loops always hold the value of another tensor,
   whatever path is taken:

       if -> r              r is x, and so is s; the argument a is x too, if the turns yield
         then: yields x     it unchanged
         else: if -> s, yields s; both branches of which yield x

   So they may stay where that tensor is, even while it is still needed. Two results of one If are
   the same where each branch yields the same for both, and two arguments of one loop where both
   start with one value and go on with one:

       loop -> p q [init x, argument a, yield n; init x, argument b, yield n]     b is a */

/* same[tensors]: the tensor that made the value, the first of two results or arguments, or itself.
   The caller frees it with memory_free. External tensors have the value of no other one, and no
   tensor has that of one on another device; no argument that of one of another size, or of one that
   has fewer bytes on some paths. O(graph * how many rounds take something apart). */
enum status same_values_create(const struct graph *graph, uint32_t **same, struct error *error);

#endif
