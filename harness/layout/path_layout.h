#ifndef MEMPLAN_HARNESS_LAYOUT_PATH_LAYOUT_H
#define MEMPLAN_HARNESS_LAYOUT_PATH_LAYOUT_H

#include "harness/layout/layout.h"
#include "planning/plan/placement.h"

/* Adds the tensors of a placement under a policy with POLICY_PATHS. There is one rectangle for each
   run of steps at which some path needs the tensor, so that holes can be seen. O(n log n) for n
   needs. */
enum status path_layout_add(const struct graph *graph, const struct placement *placement,
                            struct layout *layout, struct error *error);

#endif
