#ifndef MEMPLAN_PLANNING_LIVENESS_PATH_LIVENESS_H
#define MEMPLAN_PLANNING_LIVENESS_PATH_LIVENESS_H

#include "planning/liveness/liveness.h"
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
   which it is live from the step that leaves the If; what was yielded elsewhere is copied there at
   that step. */

/* A condition says that certain branches were taken: `region`, and all that the condition `parent`
   says, and so on up to PATH_ALWAYS, which says nothing. It never names two branches of one
   operator. */
struct path_condition {
    uint32_t region, parent;
    uint32_t branches; /* how many it names with all its parents */
    uint32_t split_by,
        first_child; /* the operator that split it last, and the first of the conditions that it was
                        split into, one for each region of that operator */
};
#define PATH_ALWAYS 0

struct path_interval {
    uint32_t tensor, lower, upper, condition;
};

/* The first `bytes` bytes of a tensor must not share memory with those of any other tensor that has
   the same number, although the two are live together at no step (see path_moves.c). */
struct path_clash {
    uint32_t number, tensor;
    uint64_t bytes;
};

struct path_liveness {
    const struct graph *graph;
    uint32_t steps;                   /* of the line */
    struct path_condition *condition; /* [conditions] parents first */
    uint32_t conditions;
    /* [intervals] of the tensors one after another; those of PATH_ALWAYS come first and ascend, the
       others do not overlap these */
    struct path_interval *interval;
    uint32_t intervals;
    struct path_clash *clash; /* [clashing] in rising order of numbers, all below `clashes` */
    uint32_t clashing, clashes;
    bool is_cautious; /* some tensor counts as needed on paths on which it is not needed */
};

/* A result that is passed through many Ifs has a condition for each way through them. To limit
   their number, a condition of PATH_MOST_BRANCHES branches is cut to the last branch; and where
   there are more than PATH_MOST_INTERVALS intervals for each thing in the graph, a result is taken
   to be needed in one interval under no condition. Plans stay safe by that, but bounds do not hold
   any more (is_cautious). */
enum { PATH_MOST_BRANCHES = 128, PATH_MOST_INTERVALS = 16 };

/* places may be NULL. O(uses * depth + intervals log intervals). */
enum status path_liveness_create(const struct graph *graph, const struct liveness *liveness,
                                 const struct result_places *places, struct path_liveness **created,
                                 struct error *error);
void path_liveness_free(struct path_liveness *paths); /* NULL is fine */
SCOPED_POINTER(struct path_liveness, path_liveness_release, path_liveness_free);

#endif
