#ifndef MEMPLAN_SOLVERS_EXACT_LEARN_DISJUNCTIVE_H
#define MEMPLAN_SOLVERS_EXACT_LEARN_DISJUNCTIVE_H

#include "solvers/exact/learn/state.h"

/* Draws conclusions from a section, whose members are jobs of one machine: rules `overload`,
   `edges` and `chains`, in both directions. False: there is a conflict. O(members^3). */
bool exact_learn_refresh_section(struct exact_learn *learn, uint32_t section);

#endif
