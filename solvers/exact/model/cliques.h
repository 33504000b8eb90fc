#ifndef MEMPLAN_SOLVERS_EXACT_MODEL_CLIQUES_H
#define MEMPLAN_SOLVERS_EXACT_MODEL_CLIQUES_H

#include "solvers/exact/model/model.h"

/* Buffers with holes in their lives may conflict pairwise and never be live all together; they lie
   on top of each other all the same. This adds to each section buffers that conflict with all of
   its members, the largest first, as long as there are any, and drops sections that become equal.
   The model is whole and has its conflicts, but no lists of sections yet. Does nothing where that
   would take very long. O(sum over the members of sections of their conflicts). */
enum status exact_cliques_extend(struct exact_model *model, struct error *error);

#endif
