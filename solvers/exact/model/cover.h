#ifndef MEMPLAN_SOLVERS_EXACT_MODEL_COVER_H
#define MEMPLAN_SOLVERS_EXACT_MODEL_COVER_H

#include "solvers/exact/model/cliques.h"

/* Where no line of steps says what conflicts, any cliques that together hold every conflict can be
   the sections. This replaces the given ones, of which the heaviest stays, by heavier ones, which
   refuse more nodes: for each conflict that none holds yet, those of the largest buffers first, one
   that takes the largest buffers which conflict with all of its members, as long as there are any.
   What holds only conflicts that heavier ones hold is dropped, and each is followed by the one that
   has the fewest buffers which it has not, so that blocks of neighbours have few entries. size
   [buffers]. Does nothing where that would take very long; the arrays stay the caller's.
   O((cliques^2 + members + buffers) * buffers / 64 + cliques * buffers). */
enum status exact_cover_conflicts(const struct conflicts *conflicts, const uint64_t *size,
                                  uint32_t buffers, struct exact_cliques *cliques,
                                  struct error *error);

#endif
