#ifndef MEMPLAN_SOLVERS_MIP_MODEL_LINES_H
#define MEMPLAN_SOLVERS_MIP_MODEL_LINES_H

#include "solvers/mip/model/pairs.h"

/* The windows of a section lie on a line, one beside another, as jobs on one machine do: so rules
   of scheduling say which of them lie below others, and how far up each has to lie. */

/* Draws what the sections say of boxes and directions, once for each. Returns whether anything
   changed. Sections of more than 64 members are left out. O(sum of members^3). */
bool mip_lines_settle(struct mip_pairs *pairs, bool *is_infeasible);

#endif
