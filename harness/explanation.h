#ifndef MEMPLAN_HARNESS_EXPLANATION_H
#define MEMPLAN_HARNESS_EXPLANATION_H

#include "planning/planner.h"
#include "solvers/infeasible_subset.h"

/* Why a problem does not fit a capacity, and which one it does fit. */
struct explanation {
    uint64_t load_bytes;
    uint32_t load_step;              /* where the section is that has that load */
    uint64_t least_bytes;            /* peak of the best plan known; 0 for none */
    uint64_t bound_bytes;            /* proved: no plan has a lower peak */
    struct infeasible_subset subset; /* where it does not fit and no section is over the capacity */
};

/* By the first of the exact planners. task says the problem, the capacity, and the time for
   everything together: half goes to the least capacity, the rest to the subset. Leaves *explanation
   fit for explanation_free. */
enum status explanation_find(const struct planner_task *task, struct explanation *explanation,
                             struct error *error);
void explanation_free(struct explanation *explanation);

/* The bytes of the buffer's window at a step; 0 where it is not live. */
uint64_t explanation_live_bytes(const struct problem *problem, uint32_t buffer, uint32_t step);

#endif
