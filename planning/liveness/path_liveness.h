#ifndef MEMPLAN_PLANNING_LIVENESS_PATH_LIVENESS_H
#define MEMPLAN_PLANNING_LIVENESS_PATH_LIVENESS_H

#include "planning/liveness/liveness.h"
#include "planning/liveness/result_places.h"

/* Path-sensitive lifetimes on the line of steps of liveness.h, in pieces with holes between them.

       conv -> x          step 0      x is read in the branch then and not after the If:
       if -> r   enters   step 1      x = [0, 3), t = [2, 3), p = [3, 4)
         then: relu x -> t     2
         else: pool -> p       3
                 leaves   step 4      what the branches yielded is needed for r, on the paths that
       dense reads r      step 5      took them: t = [4, 6) where then, p = [4, 6) where else

   In a branch, a tensor from outside is live as far as the branch, or what comes after it on the
   way through it, still reads it. It is live through the whole of a loop that reads it, since the
   next turn may do so again.

   Without homes, the result of an If has no place: what a branch yields is live as long as the
   result, under the condition that this branch was taken. With homes the result has a place, in
   which it is live from the step that leaves the If; what is not at home there is copied at that
   step. */

/* Branches that were taken, one after another to the root, PATH_ALWAYS. The branches of one
   operator never come twice. */
struct path_condition {
    uint32_t region, parent;
    uint32_t branches;              /* how many */
    uint32_t split_by, first_child; /* while they are made: children for the regions of one operator
                                     */
};
#define PATH_ALWAYS 0

struct path_piece {
    uint32_t tensor, lower, upper, condition;
};

struct path_liveness {
    struct path_condition *condition; /* [conditions] parents first */
    uint32_t conditions;
    struct path_piece *piece; /* [pieces] of the tensors one after another; those of PATH_ALWAYS
                                 come first and ascend, the others do not overlap these */
    uint32_t pieces;
};

/* A result that is passed through many Ifs has a condition for each way it may have gone. To keep
   what follows from that small, a condition of PATH_MOST_BRANCHES branches is cut to the last one,
   and beyond PATH_MOST_PIECES for each thing in the graph what is needed of a result is taken as
   one piece under no condition. Both are safe. */
enum { PATH_MOST_BRANCHES = 128, PATH_MOST_PIECES = 16 };

/* homes may be NULL. O(uses * depth + pieces log pieces). */
enum status path_liveness_create(const struct graph *graph, const struct liveness *liveness,
                                 const struct homes *homes, struct path_liveness **created,
                                 struct error *error);
void path_liveness_free(struct path_liveness *paths); /* NULL is fine */

#endif
