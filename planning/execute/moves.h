#ifndef MEMPLAN_PLANNING_EXECUTE_MOVES_H
#define MEMPLAN_PLANNING_EXECUTE_MOVES_H

#include "planning/moves/plan.h"

/* Runs a graph whose items move on an arena of tagged bytes for each memory. A transfer may be
   carried out at any time between its start and the wait for it. So its target holds rubbish from
   the start on, its source is read when it is waited for, and whatever was written into the target
   in between is damage. A step that reads an item finds the bytes that were written when it was
   made, in the stay that it reads from, and writes outputs. Bytes are tagged in ranges, so that
   large items cost no more than small ones.

   Paths are run as execute_placement does, each with every branch taken and with several turns of a
   loop, after each of which what its body yields is read where it was written. */
struct move_execution {
    bool intact;
    char text[512];
    uint64_t time; /* thousandths of ns, where intact */
};

/* Stays lie where memories offer bytes or not: that is what verify_moves is for. STATUS_BAD_INPUT
   where the time is 2^63 or more. O(steps * stays + accesses * stays * ranges) for
   each path. */
enum status execute_moves(const struct move_problem *problem, const struct move_plan *plan,
                          struct move_execution *execution, struct error *error);

#endif
