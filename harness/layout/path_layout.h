#ifndef MEMPLAN_HARNESS_LAYOUT_PATH_LAYOUT_H
#define MEMPLAN_HARNESS_LAYOUT_PATH_LAYOUT_H

#include "harness/layout/layout.h"
#include "planning/policies/policy.h"

/* Adds the tensors of a placement by a policy with POLICY_PATHS: one rectangle for each run of
   steps at which some path needs it, so that holes are seen. O(pieces log pieces). */
enum status layout_paths_add(const struct graph *graph, const struct placement *placement,
                             struct layout *layout, struct error *error);

#endif
