#ifndef MEMPLAN_PLANNING_LIVENESS_PATH_MOVES_H
#define MEMPLAN_PLANNING_LIVENESS_PATH_MOVES_H

#include "planning/liveness/path_builder.h"

/* Values that operators with regions move, all of one step as if at once: what a branch yields into
   the place of the result, the init of a carried argument and what a turn yields for it into the
   place of the argument.

       if -> r s              r may lie anywhere over t, from which it is copied, and so may s over
         then: a -> t u       u, as nobody needs t and u any more: no step has both. But the copy
               yields t u     to r must not hit u, nor that to s t: they clash.

   Adds to paths->clash what the intervals do not say: each place that is written then, against what
   is moved elsewhere and not live at that step anyway. Also the inputs of the graph against each
   other where one of them is live at no step. Call it once all intervals
   have been added.
   O(graph + clashes + for each group of moves its members squared). */
enum status path_add_clashes(struct path_builder *builder);

#endif
