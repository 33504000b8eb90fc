#ifndef MEMPLAN_HARNESS_LAYOUT_OUTCOME_LAYOUT_H
#define MEMPLAN_HARNESS_LAYOUT_OUTCOME_LAYOUT_H

#include "harness/job/job.h"
#include "harness/layout/layout.h"

/* Fills a zeroed layout with the plan of an outcome that has one; for policies with POLICY_PATHS
   see outcome_layout_add_paths. O(n log n) for n segments or tensors. */
enum status outcome_layout_fill(const struct job *job, const struct outcome *outcome,
                                struct layout *layout, struct error *error);

/* Adds the tensors of a placement under a policy with POLICY_PATHS. There is one rectangle for each
   run of steps at which some path needs the tensor, so that holes can be seen. O(n log n) for n
   needs. */
enum status outcome_layout_add_paths(const struct graph *graph, const struct placement *placement,
                                     struct layout *layout, struct error *error);

#endif
