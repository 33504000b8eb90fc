#ifndef MEMPLAN_SOLVERS_COMMON_INFEASIBLE_SUBSET_H
#define MEMPLAN_SOLVERS_COMMON_INFEASIBLE_SUBSET_H

#include "planning/plan/planner.h"

/* Why nothing fits a capacity although no section is over it: buffers that do not fit together by
   themselves. */
struct infeasible_subset {
    uint32_t count;
    uint32_t *buffer; /* [count] ascending */
    bool proved;      /* the planner proved that these do not fit */
    bool irreducible; /* and that they do as soon as any one of them is left out */
};

/* Deletes runs of buffers, shorter and shorter ones, as long as the rest is proved not to fit
   (deletion filter with halved steps, after Chinneck and Dravnieks, ORSA J. Computing 3(2), 1991).
   task->capacity_bytes is the capacity, task->time_limit_ns the time for all of it; when it is
   over, what is left is reported, maybe reducible. exact is marked PLANNER_EXACT. Leaves *subset
   fit for infeasible_subset_free. At most O(count * log(buffers)) calls of the planner, count of
   the answer, where no deletion hinders another. */
enum status infeasible_subset_find(const struct planner *exact, const struct planner_task *task,
                                   struct infeasible_subset *subset, struct error *error);
void infeasible_subset_free(struct infeasible_subset *subset);

#endif
