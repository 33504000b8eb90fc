#ifndef MEMPLAN_PLANNING_LIVENESS_H
#define MEMPLAN_PLANNING_LIVENESS_H

#include "planning/graph.h"

/* Operators linearised to steps and the lifetimes of tensors on that line, design.md section 4.

       conv              step 0
       if     enters     step 1          then-yield t is live from step 2 on through the else branch
         then: relu -> t step 2          and to the last reader of the If's result r, because r has
         else: pool -> e step 3          no place of its own: whoever reads r reads t or e
              leaves     step 4
       dense reads r     step 5          t = [2, 6), e = [3, 6)

   A loop's carried argument and result share one place: the argument's tensor stands for it and is
   live from the step that enters the loop to the last reader of the result. Everything else that a
   loop reads or yields stays live until the step that leaves it. */
struct liveness {
    uint32_t steps;
    uint32_t *enter_step; /* [operators] */
    uint32_t *leave_step; /* [operators]; the same as enter_step without regions */
    uint32_t *region_begin,
        *region_end;       /* [regions] steps of its operators, begin == end for none */
    uint32_t *lower;       /* [tensors] */
    uint32_t *upper;       /* [tensors]; lower == upper for a tensor without a place of its own */
    uint32_t *block_upper; /* [operators] with regions: one past the last step at which what its
                              regions leave behind is read */
};

/* Lifetimes under the policy flat. O(size of the graph). */
enum status liveness_create(const struct graph *graph, struct liveness **liveness,
                            struct error *error);
void liveness_free(struct liveness *liveness);

/* The tensor needs a place in the arena: it is not external, and its operator is no If whose
   results are read where the branches left them. */
bool liveness_has_place(const struct liveness *liveness, uint32_t tensor);

#endif
