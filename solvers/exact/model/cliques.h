#ifndef MEMPLAN_SOLVERS_EXACT_MODEL_CLIQUES_H
#define MEMPLAN_SOLVERS_EXACT_MODEL_CLIQUES_H

#include "planning/problem/conflicts.h"

/* Sets of buffers that all conflict with each other. */
struct exact_cliques {
    uint32_t count;
    uint64_t *first;  /* [count + 1] into member */
    uint32_t *member; /* buffers, ascending in each clique */
};

/* Buffers with holes may conflict pairwise although they are never all live together, and have to
   lie on top of each other all the same. This adds to each clique, which is a section at first,
   buffers that conflict with all of its members, the largest first, as long as there are any. It
   drops cliques that become equal to one shortly before them. size [buffers]. Does nothing where
   that would take very long; the arrays, which it replaces, stay the caller's. O(sum over the
   members of all cliques of their conflicts). */
enum status exact_cliques_extend(const struct conflicts *conflicts, const uint64_t *size,
                                 uint32_t buffers, struct exact_cliques *cliques,
                                 struct error *error);

#endif
