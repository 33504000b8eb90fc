#ifndef MEMPLAN_SOLVERS_FAMILY_IMPROVE_H
#define MEMPLAN_SOLVERS_FAMILY_IMPROVE_H

#include "solvers/family/vectors.h"

struct improvement {
    struct orienter *orienter;
    const struct size_vectors *vectors;
    bool worst_first;
    uint64_t deadline_ns;
    uint32_t turns; /* without a better score before it ends */
    uint64_t seed;
};

/* Moves buffers of the orientation to other places in its order, as long as that makes the score
   better or leaves it equal: a buffer of a heaviest chain at the worst point, or at the greatest
   one, goes next to another buffer of that chain. *score is that of the orientation, before and
   after. One turn is O(vectors * buffers + segments * live at once). */
enum status orientation_improve(const struct improvement *improvement,
                                struct orientation *orientation, struct family_score *score,
                                struct error *error);

#endif
