#ifndef MEMPLAN_PLANNING_LIVENESS_SHARED_PLACES_H
#define MEMPLAN_PLANNING_LIVENESS_SHARED_PLACES_H

#include "planning/liveness/result_places.h"

/* Whether tensors that share a place never need it for different values at once:

       loop (i > r) [init i, argument a, yield y]     i and a may share a place, since a is i at the
         body: read a; make y                         step at which both are there; so may a and y,
                                                      unless a is read once more after y was made

   and which moves it matters for whether source and target share a place: where the source's value
   is needed once more at that step or later, as otherwise the target may lie over the source
   anyway. */

struct shared_places {
    const struct graph *graph;
    const struct placement *placement; /* what it says is written in place is right */
    const struct result_places *places;
    const struct graph_moves *moves;
    const uint32_t *same; /* [tensors] planning/liveness/same_values.h */
};

/* *sure: no placement at all has the tensors of some place there, where *valid is false. Without,
   it depends on the branches that were taken. O(what path_liveness.h costs + for each place its
   intervals squared). */
enum status shared_places_check(const struct shared_places *shared, bool *valid, bool *sure,
                                struct error *error);

/* Sets matters[moves], for places in which nothing is shared. *sure: what may be chosen for these
   moves, with results placed as they are, says all that a placement may do.
   O(what path_liveness.h costs + for each move the intervals with its value). */
enum status shared_places_list(const struct shared_places *shared, bool *matters, bool *sure,
                               struct error *error);

#endif
