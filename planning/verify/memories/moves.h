#ifndef MEMPLAN_PLANNING_VERIFY_MEMORIES_MOVES_H
#define MEMPLAN_PLANNING_VERIFY_MEMORIES_MOVES_H

#include "planning/moves/plan.h"

/* Checks the places of a plan with moves, with code that shares nothing with any planner: each item
   has one first stay, each transfer a source that holds the item until the transfer is waited for,
   each reading step a stay that holds what it reads; capacities, alignments, chunks and reserved
   ranges; and no two stays in one memory share a byte at a step. */
struct move_verdict {
    bool valid;
    char text[512]; /* what is wrong, in a sentence; or "valid" */
};

/* O(stays^2 + accesses * stays). */
void verify_moves(const struct move_problem *problem, const struct move_plan *plan,
                  struct move_verdict *verdict);

#endif
