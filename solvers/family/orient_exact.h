#ifndef MEMPLAN_SOLVERS_FAMILY_ORIENT_EXACT_H
#define MEMPLAN_SOLVERS_FAMILY_ORIENT_EXACT_H

#include "solvers/family/vectors.h"

/* An exact search for an orientation whose peak is within a limit at each of several points. It
   decides for one pair of conflicting buffers after another which lies below. Each buffer has for
   each point a head, the least offset that the decisions leave it, and a tail, the bytes that have
   to lie above it. Where head, sizes and tail of a pair exceed the limit at some point, the pair
   has to lie the other way round; where they do so both ways, the search goes back. */
struct orient_search {
    struct orienter *orienter;
    const struct size_vectors *vectors;
    const uint64_t *limit; /* [vectors->count] */
    uint64_t deadline_ns;
    uint64_t most_nodes;
};

enum orient_answer {
    ORIENT_FOUND,
    ORIENT_REFUSED, /* proved: no orientation keeps all limits */
    ORIENT_UNKNOWN, /* the deadline or the limit of nodes was reached, or there are too many pairs
                     */
};
enum { ORIENT_MOST_PAIRS = 5000 };

/* Fills the orientation where one is found. O(pairs * points) memory and time for each node. */
enum status orient_exact(const struct orient_search *search, struct orientation *orientation,
                         enum orient_answer *answer, uint64_t *nodes, struct error *error);

#endif
