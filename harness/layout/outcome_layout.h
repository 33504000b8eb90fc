#ifndef MEMPLAN_HARNESS_LAYOUT_OUTCOME_LAYOUT_H
#define MEMPLAN_HARNESS_LAYOUT_OUTCOME_LAYOUT_H

#include "harness/job/job.h"
#include "harness/layout/layout.h"

/* Fills the zeroed layout with the plan of an outcome that has one. Of a policy with POLICY_PATHS,
   each tensor has one rectangle for each run of steps at which some path needs it, so that holes
   are seen; of the other policies one from its first step to its last.
   O(n log n) for n segments, tensors or needs on paths. */
enum status outcome_layout_fill(const struct job *job, const struct outcome *outcome,
                                struct layout *layout, struct error *error);

#endif
