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

/* Fills rank [buffers]: the most blamed buffer comes first, and of equally blamed ones the one that
   base[buffers], the rank of the strategy, puts first. All buffers of a chain of equal buffers get
   the greatest blame of any of them, so that the first of the chain stays first. O(buffers). */
enum status exact_blame_rank(struct exact_state *state, const uint32_t *base, uint32_t *rank,
                             struct error *error);

#endif
