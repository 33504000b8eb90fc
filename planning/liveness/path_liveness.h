#ifndef MEMPLAN_PLANNING_LIVENESS_PATH_LIVENESS_H
#define MEMPLAN_PLANNING_LIVENESS_PATH_LIVENESS_H

#include "planning/liveness/liveness.h"
#include "planning/liveness/path_lifetimes.h"
#include "planning/liveness/result_places.h"

/* Path-sensitive lifetimes on the line of steps of liveness.h, in intervals with holes between
   them.

       conv -> x          step 0      x is read in the branch then and not after the If:
       if -> r   enters   step 1      x = [0, 3), t = [2, 3), p = [3, 4)
         then: relu x -> t     2
         else: pool -> p       3
                 leaves   step 4      what the branches yielded is needed for r, on the paths that
       dense reads r      step 5      took them: t = [4, 6) where then, p = [4, 6) where else

   In a branch, a tensor from outside is live as far as the branch, or what comes after it on the
   way through it, still reads it. It is live through the whole of a loop that reads it, since the
   next turn may do so again.

   Without places, the result of an If has no place: what a branch yields is live as long as the
   result, under the condition that this branch was taken. With places the result has a place, in
   which it is live from the step that leaves the If; what is not in that place is copied at that
   step. */

/* places may be NULL. O(uses * depth + intervals log intervals). */
enum status path_liveness_create(const struct graph *graph, const struct liveness *liveness,
                                 const struct result_places *places, struct path_liveness **created,
                                 struct error *error);
void path_liveness_free(struct path_liveness *paths); /* NULL is fine */
SCOPED_POINTER(struct path_liveness, path_liveness_release, path_liveness_free);

#endif
