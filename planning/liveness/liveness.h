#ifndef MEMPLAN_PLANNING_LIVENESS_LIVENESS_H
#define MEMPLAN_PLANNING_LIVENESS_LIVENESS_H

#include "core/scratch.h"
#include "planning/graph/graph.h"

/* The operators on a line of time steps, and the lifetimes of tensors on it; see docs/problem.md.

       conv              step 0
       if     enters     step 1          then-yield t is live from step 2 on through the else branch
         then: relu -> t step 2          and to the last reader of the If's result r, because r has
         else: pool -> e step 3          no place of its own: an operator that reads r reads t or e
              leaves     step 4
       dense reads r     step 5          t = [2, 6), e = [3, 6)

   A loop's carried argument and result share one place: the argument's tensor stands for it and is
   live from the step that enters the loop to the last reader of the result. Everything else that a
   loop reads or yields stays live until the step that leaves it.

   Tensors that are in place of each other share the place of the first of them, their root; here
   each has its own lifetime:

       conv -> t         step 0          t = [0, 2), root t, next u
       relu t -> u       step 1          u = [1, 4), root t: the place of t is needed for [0, 4)
       other             step 2
       dense reads u     step 3

   Where the result r of an If has a place of its own, the taken branch's yield is copied there when
   the If is left: above, t = [2, 5), e = [3, 5) and r = [4, 6). With the places of
   planning/liveness/result_places.h nothing is copied: t and e are then in the place of r, which is
   needed from entering the If: [1, 6). */
struct liveness {
    uint32_t steps;
    uint32_t *enter_step; /* [operators] */
    uint32_t *leave_step; /* [operators]; the same as enter_step without regions */
    uint32_t *region_begin,
        *region_end; /* [regions] steps of its operators, begin == end for none */
    uint32_t *lower; /* [tensors] */
    uint32_t *upper; /* [tensors]; lower == upper for a tensor without a place of its own */
    uint32_t *root;  /* [tensors] the tensor in whose place it is, for most itself; NULL: for all */
    uint32_t *next;  /* [tensors] the one written next into the same place, GRAPH_NONE */
    /* [tensors] of the place of a root; NULL: the bytes of the root itself */
    uint64_t *place_bytes;
    uint32_t *block_upper; /* [operators] with regions: one past the last step at which something
                              that its regions left is read */
    struct scratch memory; /* that holds all of these but place_bytes */
};

/* Lifetimes under the policy flat. O(size of the graph). */
enum status liveness_create(const struct graph *graph, struct liveness **liveness,
                            struct error *error);
/* As liveness_create, but the results of Ifs that are marked in has_place[tensors] have places of
   their own. */
enum status liveness_create_placed(const struct graph *graph, const bool *has_place,
                                   struct liveness **liveness, struct error *error);
void liveness_free(struct liveness *liveness);
SCOPED_POINTER(struct liveness, liveness_release, liveness_free);

/* The tensor needs a place of its own in the arena: it is not external, it is no result of an If
   that is read where the branches left it, and it is not in another tensor's place. */
bool liveness_has_place(const struct liveness *liveness, uint32_t tensor);
/* Bytes of the place of a tensor that has one. */
uint64_t liveness_place_bytes(const struct liveness *liveness, const struct graph *graph,
                              uint32_t tensor);

#endif
