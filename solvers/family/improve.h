#ifndef MEMPLAN_SOLVERS_FAMILY_IMPROVE_H
#define MEMPLAN_SOLVERS_FAMILY_IMPROVE_H

#include "solvers/family/vectors.h"

struct improvement {
    struct orienter *orienter;
    const struct size_vectors *vectors;
    struct family_ratio least; /* it ends where the worst ratio is no greater */
    bool worst_first;
    bool is_first; /* orders made by inserting the buffers one by one are tried before */
    bool anneals;  /* instead of the tabu search */
    uint64_t deadline_ns;
    uint32_t turns; /* without a better score before it ends */
    uint64_t seed;
};

/* A tabu search: takes a few buffers of the heaviest chain at the worst point out of the order,
   each by itself, and moves the one to the place where that leaves the least, though it may be more
   than before. It does not move again for some turns. Or annealing, which renews the places of a
   few buffers at once. Leaves the best orientation that it met, whose score is *score, before and
   after. */
enum status orientation_improve(const struct improvement *improvement,
                                struct orientation *orientation, struct family_score *score,
                                struct error *error);

#endif
