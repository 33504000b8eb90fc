#ifndef MEMPLAN_PLANNING_LIVENESS_SAME_VALUES_H
#define MEMPLAN_PLANNING_LIVENESS_SAME_VALUES_H

#include "planning/graph/graph.h"

/* Which results of Ifs and carried arguments of loops hold the value of another tensor on every
   path:

       if -> r              r is x, and so is s; the argument a is x too, if the turns yield
         then: yields x     it unchanged
         else: if -> s, yields s; both branches of which yield x

   So they may coincide with that tensor, even while it is still needed. Two results of one If are
   the same where each branch yields the same tensor for both. Two arguments of one loop are the
   same where both have the same init and each turn yields the same tensor for both:

       loop -> p q [init x, argument a, yield n; init x, argument b, yield n]     b is a */

/* same[tensors]: the tensor that made the value, the first of two equal results or arguments, or
   the tensor itself. The caller frees it with memory_free. An external tensor counts as having a
   value of its own. So does a tensor whose value comes from another device, and an argument whose
   value comes from a tensor of another size or of one that has fewer bytes on some paths. O(graph *
   how many rounds take something apart). */
enum status same_values_create(const struct graph *graph, uint32_t **same, struct error *error);

#endif
