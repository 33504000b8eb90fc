#ifndef MEMPLAN_PLANNING_MOVES_ACCESSES_H
#define MEMPLAN_PLANNING_MOVES_ACCESSES_H

#include "planning/moves/problem.h"

/* Lists what each step of the problem reads and writes, and until when each item is needed. The
   steps and items are there; item_of[tensors] is the item of each tensor, or GRAPH_NONE. *accesses
   is how many there are. O(graph + accesses), for each read the results through which it goes. */
enum status move_accesses_create(struct move_problem *problem, const uint32_t *item_of,
                                 uint32_t *accesses, struct error *error);

#endif
