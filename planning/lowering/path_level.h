#ifndef MEMPLAN_PLANNING_LOWERING_PATH_LEVEL_H
#define MEMPLAN_PLANNING_LOWERING_PATH_LEVEL_H

#include "planning/liveness/result_places.h"
#include "planning/lowering/level.h"

/* The problem of all tensors of the graph with the lifetimes of path_liveness.h: two buffers
   conflict exactly when some path through the branches has both live at once. What is live under a
   condition is on the time steps for one branch of each If, the heaviest where possible, and for
   the others on conflict steps behind the end of the line:

       step   4    5  | 6    7    8     r = t or u, s = v or w, read together at step 5: t meets v
              t    t  | t    u    u     on the line, and t meets w, u meets v, u meets w behind it;
              v    v  | w    v    w     t never meets u, nor v w

   So the load is that of the heaviest path, except where heaviest_path.h gives up. Buffers are in
   the order of definition. places as in path_liveness.h, or NULL; the liveness was created with the
   same. O(result + intervals * tracks). */
enum status path_level_create(const struct level_source *source, const struct result_places *places,
                              struct level **level, struct error *error);

#endif
