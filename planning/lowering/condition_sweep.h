#ifndef MEMPLAN_PLANNING_LOWERING_CONDITION_SWEEP_H
#define MEMPLAN_PLANNING_LOWERING_CONDITION_SWEEP_H

#include "planning/liveness/path_liveness.h"

/* Conditions under which something is live, as a sweep over the steps goes on. */
struct path_sweep {
    const struct path_liveness *paths;
    uint32_t *by_lower, *by_upper; /* [intervals] of those under a condition */
    uint32_t intervals, started, ended;
    uint32_t *active; /* [active_count] conditions */
    uint32_t active_count;
    uint32_t *position; /* [conditions] in active */
    uint32_t *live;     /* [conditions] its live intervals; active while there are any */
};

/* Leaves *sweep fit for path_sweep_free where it fails. O(intervals). */
enum status path_sweep_create(struct path_sweep *sweep, const struct path_liveness *paths,
                              struct error *error);
void path_sweep_free(struct path_sweep *sweep);
/* The next step at which intervals start or end; GRAPH_NONE at the end. */
uint32_t path_sweep_next(const struct path_sweep *sweep);
/* Ends and starts what does so at this step. Conditions that become active come last in `active`;
   how many there are is returned. */
uint32_t path_sweep_go(struct path_sweep *sweep, uint32_t step);

#endif
