#ifndef MEMPLAN_PLANNING_LOWERING_CONDITION_SWEEP_H
#define MEMPLAN_PLANNING_LOWERING_CONDITION_SWEEP_H

#include "planning/liveness/path_liveness.h"
#include "planning/problem/timeline.h"

/* A sweep over the steps that knows at each step which conditions are active: those under which
   some tensor is live. */
struct path_sweep {
    const struct path_liveness *paths;
    uint32_t *by_lower, *by_upper; /* [intervals] all intervals under a condition, in the order in
                                      which they start and in which they end */
    uint32_t intervals, started, ended;
    struct live_set active; /* conditions */
    uint32_t *live;         /* [conditions] how many intervals are live under each */
};

/* It lives as long as the scratch. O(intervals). */
enum status path_sweep_create(struct path_sweep *sweep, const struct path_liveness *paths,
                              struct scratch *scratch, struct error *error);
/* The next step at which intervals start or end; GRAPH_NONE at the end. */
uint32_t path_sweep_next(const struct path_sweep *sweep);
/* Goes to the step, which path_sweep_next returned: ends and starts the intervals that end and
   start there. Returns how many conditions become active: they come last in `active`. */
uint32_t path_sweep_go(struct path_sweep *sweep, uint32_t step);

#endif
