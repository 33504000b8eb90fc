#ifndef MEMPLAN_SOLVERS_EXACT_MODEL_COVER_H
#define MEMPLAN_SOLVERS_EXACT_MODEL_COVER_H

#include "solvers/exact/model/cliques.h"

/* Where no line of steps says which buffers conflict, any cliques that together hold every pair of
   buffers in conflict can be the sections. This keeps only the heaviest of the given cliques and
   replaces the others by heavier ones, which refuse more nodes: for each pair that no clique holds
   yet, the pairs of the largest buffers first, it makes a clique of the pair and adds the largest
   buffer that conflicts with all members until there is none. A clique is dropped where heavier
   ones hold all of its pairs. The cliques are ordered so that each adds few buffers to the one
   before it: then batches of neighbouring sections have few entries. size [buffers]. Does nothing
   where that would take very long; the arrays stay the caller's. O((cliques^2 + members + buffers)
   * buffers / 64 + cliques * buffers). */
enum status exact_cover_conflicts(const struct conflicts *conflicts, const uint64_t *size,
                                  uint32_t buffers, struct exact_cliques *cliques,
                                  struct error *error);

#endif
