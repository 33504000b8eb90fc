#ifndef MEMPLAN_PLANNING_LIVENESS_SHARING_H
#define MEMPLAN_PLANNING_LIVENESS_SHARING_H

#include "planning/liveness/liveness.h"
#include "planning/liveness/result_places.h"

/* Lifetimes whose roots follow placement->overwrites, which has been set by inplace_apply or names
   no tensor. Results of Ifs have a place of their own where the placement has an offset for
   them. */
enum status liveness_create_shared(const struct graph *graph, const struct placement *placement,
                                   struct liveness **liveness, struct error *error);
/* As liveness_create_shared, but results of Ifs have the given places and share them with the
   tensors that are in them. */
enum status liveness_create_in_places(const struct graph *graph, const struct placement *placement,
                                      const struct result_places *places,
                                      struct liveness **liveness, struct error *error);

#endif
