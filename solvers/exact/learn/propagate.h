#ifndef MEMPLAN_SOLVERS_EXACT_LEARN_PROPAGATE_H
#define MEMPLAN_SOLVERS_EXACT_LEARN_PROPAGATE_H

#include "solvers/exact/learn/state.h"

/* Draws all conclusions from the events that are not handled yet: a literal that holds passes
   bounds on, bounds that leave no room refute a literal, the last literal of a clause that is not
   refuted holds, and sections say more. False: there is a conflict, whose atoms are
   the last ones. */
bool exact_learn_propagate(struct exact_learn *learn);

#endif
