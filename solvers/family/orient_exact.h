#ifndef MEMPLAN_SOLVERS_FAMILY_ORIENT_EXACT_H
#define MEMPLAN_SOLVERS_FAMILY_ORIENT_EXACT_H

#include "solvers/family/vectors.h"

/* An exact search for an orientation whose peak is within a limit at each of several points: the
   race of the search on one point (solvers/exact/race), whose buffers are placed, and rejected, at
   all points at once. */
struct orient_search {
    struct orienter *orienter;
    const struct size_vectors *vectors;
    const uint64_t *limit; /* [vectors->count] */
    uint64_t deadline_ns;
    uint64_t most_nodes; /* no round begins once this many nodes were visited */
    uint32_t strategies; /* the most that take part */
    uint32_t threads;    /* 0 and 1: one */
};

enum orient_answer {
    ORIENT_FOUND,
    ORIENT_REFUSED, /* proved: no orientation keeps all limits */
    ORIENT_UNKNOWN, /* the deadline or most_nodes was reached, or there are too many pairs */
};
enum { ORIENT_MOST_PAIRS = 1 << 20 };

/* Fills the orientation where one is found. nodes: how often a buffer was placed. O(pairs * points)
   memory. */
enum status orient_exact(const struct orient_search *search, struct orientation *orientation,
                         enum orient_answer *answer, uint64_t *nodes, struct error *error);

#endif
