#ifndef MEMPLAN_PLANNING_LIVENESS_SAME_VALUES_H
#define MEMPLAN_PLANNING_LIVENESS_SAME_VALUES_H

#include "planning/graph/graph.h"

/* Which results of Ifs and carried arguments of loops always hold the value of another tensor,
   whatever path is taken:

       if -> r              r is x, and so is s; the argument a is x too, if the turns yield
         then: yields x     it unchanged
         else: if -> s, yields s; both branches of which yield x

   So they may stay where that tensor is, even while it is still needed. */

/* same[tensors]: the tensor that made the value, itself where no other one did. The caller frees it
   with memory_free. External tensors have the value of no other one, and no tensor has that of one
   on another device, of another size, or of fewer bytes on some paths. O(graph * the longest chain
   of values that are handed on against the order of operators). */
enum status same_values_create(const struct graph *graph, uint32_t **same, struct error *error);

#endif
