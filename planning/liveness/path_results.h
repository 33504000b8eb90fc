#ifndef MEMPLAN_PLANNING_LIVENESS_PATH_RESULTS_H
#define MEMPLAN_PLANNING_LIVENESS_PATH_RESULTS_H

#include "planning/liveness/path_builder.h"

/* Makes the conditions and all needs: what is needed of results, passed on to what is yielded for
   them. No intervals are left. first_need[tensors] is scratch that was allocated. */
enum status path_pass_results(struct path_builder *builder);

#endif
