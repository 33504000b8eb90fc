#ifndef MEMPLAN_PLANNING_LIVENESS_SHARED_PLACES_H
#define MEMPLAN_PLANNING_LIVENESS_SHARED_PLACES_H

#include "planning/liveness/result_places.h"

/* Whether tensors that share a place never need it for different values at once:

       loop (i > r) [init i, argument a, yield y]     i and a may share a place, since a is i at the
         body: read a; make y                         step at which both are there; so may a and y,
                                                      unless a is read once more after y was made

   Also finds the moves for which it matters whether source and target share a place: those whose
   source value is needed again at that step or later. For all other moves the target may lie over
   the source anyway. */

struct shared_places {
    const struct graph *graph;
    const struct placement *placement; /* its overwrites are taken to be right */
    const struct result_places *places;
    const struct graph_moves *moves;
    const uint32_t *same; /* [tensors] planning/liveness/same_values.h */
};

/* *valid: the tensors of each place can share it. Where *valid is false, *sure says that no
   placement lets them share it; where *sure is false too, it depends on the branches that are
   taken. O(what path_liveness.h costs + for each place its intervals squared). */
enum status shared_places_check(const struct shared_places *shared, bool *valid, bool *sure,
                                struct error *error);

/* Sets matters[moves], for places in which nothing is shared. *sure: with results placed as they
   are, the choices for these moves cover all placements. O(what path_liveness.h costs + for each
   move the intervals with its value). */
enum status shared_places_list(const struct shared_places *shared, bool *matters, bool *sure,
                               struct error *error);

#endif
