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

/* Takes a buffer of the heaviest chain at the worst point, or at the greatest one, out of the order
   and puts it where the heaviest chain through it is best at all points, again and again. Goes on
   from orientations that are a little worse, too, and leaves the best one that it met, whose score
   is *score, before and after. One turn is O(vectors * segments + segments * live at once). */
enum status orientation_improve(const struct improvement *improvement,
                                struct orientation *orientation, struct family_score *score,
                                struct error *error);

#endif
