#ifndef MEMPLAN_PLANNING_LIVENESS_PATH_RESULTS_H
#define MEMPLAN_PLANNING_LIVENESS_PATH_RESULTS_H

#include "planning/liveness/path_builder.h"

/* Makes the conditions and all needs: whatever is yielded for a result that has no place of its own
   is needed while that result is. Leaves no intervals behind. The caller has allocated
   first_need. */
enum status path_pass_results(struct path_builder *builder);

#endif
