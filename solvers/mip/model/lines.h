#ifndef MEMPLAN_SOLVERS_MIP_MODEL_LINES_H
#define MEMPLAN_SOLVERS_MIP_MODEL_LINES_H

#include "solvers/mip/model/pairs.h"

/* The windows of a section lie on a line, one beside another, as jobs on one machine do: so rules
   of scheduling say which of them lie below others, and how far up each has to lie. */

/* Narrows the boxes and settles directions until nothing changes, as far as the switches say
   (switches.h). False where there is no plan. Sections of more than 64 members are left out.
   O(pairs + sum of members^3) for a round. */
bool mip_lines_propagate(struct mip_pairs *pairs, unsigned switches);

#endif
