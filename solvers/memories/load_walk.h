#ifndef MEMPLAN_SOLVERS_MEMORIES_LOAD_WALK_H
#define MEMPLAN_SOLVERS_MEMORIES_LOAD_WALK_H

#include "solvers/memories/master.h"

/* The cheapest choice of memories by load alone, exactly, by a walk over the sections: a state is
   where the nodes lie that are live in this section or are live again later, and of equal states
   the cheapest is kept. That is quick where few nodes are live at once, as in most networks,
   whatever their number. Penalties are left out, so that the choice bounds the cost of every plan.

   `room` as in struct master_cuts. Fills arena, paid, bound, solved and infeasible of the answer;
   not solved: there are too many states, memories of several arenas, or pairs that are live at once
   and do not conflict. O(sections * states * log states). */
enum status load_walk_choose(const struct memory_model *model, double room, uint64_t deadline_ns,
                             struct master_answer *answer, struct error *error);

#endif
