#ifndef MEMPLAN_SOLVERS_EXACT_RACE_BLAME_H
#define MEMPLAN_SOLVERS_EXACT_RACE_BLAME_H

#include "solvers/exact/race/state.h"

/* What a strategy that learns remembers from restart to restart: how often each buffer was left in
   a section that refused. Those that were left most often come first after a restart, as what is in
   trouble at the end of a search often is not at its beginning. (Joslin and Clements, "Squeaky
   wheel optimization", Journal of Artificial Intelligence Research 10, 1999.) */

/* The section refused: blames its buffers that are left. O(members). */
void exact_blame_add(struct exact_state *state, uint32_t section);

/* rank [buffers]: the most blamed first, equal ones by base [buffers], the rank of the strategy. Of
   equal buffers the first stays the best, since all get the blame of the most blamed. O(buffers).
 */
enum status exact_blame_rank(struct exact_state *state, const uint32_t *base, uint32_t *rank,
                             struct error *error);

/* The term of the Luby series, 1 1 2 1 1 2 4 ..., for `index` from 1 on. O(log index). */
uint64_t exact_blame_luby(uint64_t index);

#endif
