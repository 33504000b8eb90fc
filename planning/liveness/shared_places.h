#ifndef MEMPLAN_PLANNING_LIVENESS_SHARED_PLACES_H
#define MEMPLAN_PLANNING_LIVENESS_SHARED_PLACES_H

#include "planning/liveness/result_places.h"

/* Whether tensors that share a place never need it for different values at once:

       loop (i > r) [init i, argument a, yield y]     i and a may share a place, since a is i at the
         body: read a; make y                         step at which both are there; so may a and y,
                                                      unless a is read once more after y was made */

struct shared_places {
    const struct graph *graph;
    const struct placement *placement; /* what it says is written in place is right */
    const struct result_places *places;
    const uint32_t *same; /* [tensors] planning/liveness/same_values.h */
};

/* O(what path_liveness.h costs + for each place its intervals squared). */
enum status shared_places_check(const struct shared_places *shared, bool *valid,
                                struct error *error);

#endif
