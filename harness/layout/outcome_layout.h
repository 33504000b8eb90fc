#ifndef MEMPLAN_HARNESS_LAYOUT_OUTCOME_LAYOUT_H
#define MEMPLAN_HARNESS_LAYOUT_OUTCOME_LAYOUT_H

#include "harness/job/job.h"
#include "harness/layout/layout.h"

/* Fills a zeroed layout with the plan of an outcome that has one; for policies with POLICY_PATHS
   see path_layout_add. O(n log n) for n segments or tensors. */
enum status outcome_layout_fill(const struct job *job, const struct outcome *outcome,
                                struct layout *layout, struct error *error);

#endif
