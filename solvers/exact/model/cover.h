#ifndef MEMPLAN_SOLVERS_EXACT_MODEL_COVER_H
#define MEMPLAN_SOLVERS_EXACT_MODEL_COVER_H

#include "solvers/exact/model/cliques.h"

/* Where no line of steps says what conflicts, any cliques that together hold every pair of buffers
   in conflict can be the sections. This replaces the given cliques, of which only the heaviest
   stays, by heavier ones, which refuse more nodes: for each pair that no clique holds yet, the
   pairs of the largest buffers first, it grows a clique from the pair by adding the largest buffer
   that conflicts with all members until there is none. A clique is dropped where heavier ones hold
   all of its pairs. Each clique is followed by the one with the fewest buffers that it does not
   have itself, so that blocks of neighbouring sections have few entries. size [buffers]. Does
   nothing where that would take very long; the arrays stay the caller's. O((cliques^2 + members +
   buffers) * buffers / 64 + cliques * buffers). */
enum status exact_cover_conflicts(const struct conflicts *conflicts, const uint64_t *size,
                                  uint32_t buffers, struct exact_cliques *cliques,
                                  struct error *error);

#endif
