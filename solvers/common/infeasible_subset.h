#ifndef MEMPLAN_SOLVERS_COMMON_INFEASIBLE_SUBSET_H
#define MEMPLAN_SOLVERS_COMMON_INFEASIBLE_SUBSET_H

#include "planning/plan/planner.h"

/* The reason why no plan fits a capacity although every section does: some buffers that do not fit
   together even without the others. */
struct infeasible_subset {
    uint32_t count;
    uint32_t *buffer; /* [count] ascending */
    bool proved;      /* the planner proved that these do not fit */
    bool irreducible; /* it is also proved that they fit if any one of them is left out */
};

/* Deletes runs of buffers, shorter and shorter ones, as long as the rest is proved not to fit
   (deletion filter with halved steps, after Chinneck and Dravnieks, ORSA J. Computing 3(2), 1991).
   task->capacity_bytes is the capacity and task->time_limit_ns the time for all calls; when it is
   over, the buffers left are reported, which may be reducible. `exact` has the flag PLANNER_EXACT.
   Leaves *subset fit for infeasible_subset_free. O(subset->count * log(buffers)) calls of the
   planner, unless deletions hinder each other. */
enum status infeasible_subset_find(const struct planner *exact, const struct planner_task *task,
                                   struct infeasible_subset *subset, struct error *error);
void infeasible_subset_free(struct infeasible_subset *subset);

#endif
