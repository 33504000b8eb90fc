#ifndef MEMPLAN_PLANNING_LIVENESS_PATH_USES_H
#define MEMPLAN_PLANNING_LIVENESS_PATH_USES_H

#include "planning/liveness/liveness.h"

/* Where each tensor is used, in the order of the program. An operator uses its inputs at the step
   that enters it, a branch what it yields at its own end, and a loop what its regions yield at the
   step that leaves it. What is moved into a carried argument, path_moves.h, is used up to that
   step: the init to the one that enters the loop, what a turn yields to the one that leaves it. */
struct path_use {
    uint32_t region; /* that holds the use directly */
    uint32_t upper;  /* one past the step until which it is needed for that */
};

struct path_uses {
    uint32_t *first; /* [tensors + 1] */
    struct path_use *use;
};

/* O(size of the graph). Leaves *uses fit for path_uses_free where it fails. */
enum status path_uses_create(struct path_uses *uses, const struct graph *graph,
                             const struct liveness *liveness, struct error *error);
void path_uses_free(struct path_uses *uses);

#endif
