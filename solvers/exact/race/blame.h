#ifndef MEMPLAN_SOLVERS_EXACT_RACE_BLAME_H
#define MEMPLAN_SOLVERS_EXACT_RACE_BLAME_H

#include "solvers/exact/race/state.h"

/* What a strategy that learns remembers from restart to restart: how often each buffer was not
   placed yet in a section that refused a node. After a restart the most blamed buffers come first,
   since a buffer that finds no room at the end of a search often finds some at its beginning.
   (Joslin and Clements, "Squeaky wheel optimization", Journal of Artificial Intelligence Research
   10, 1999.) */

/* Blames the buffers of the section, which has refused a node, that are not placed yet.
   O(members). */
void exact_blame_add(struct exact_state *state, uint32_t section);

/* Fills rank [buffers]: the most blamed buffer is the best, and of equally blamed ones the better
   by base [buffers], the rank of the strategy. All buffers of a chain of equal ones get the blame
   of the most blamed, so that the first of the chain stays the best. O(buffers). */
enum status exact_blame_rank(struct exact_state *state, const uint32_t *base, uint32_t *rank,
                             struct error *error);

#endif
