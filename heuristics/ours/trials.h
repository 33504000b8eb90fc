#ifndef MEMPLAN_HEURISTICS_OURS_TRIALS_H
#define MEMPLAN_HEURISTICS_OURS_TRIALS_H

#include "planning/arena/placer.h"
#include "planning/plan/planner.h"

/* Orders tried one after another, each by first fit, and the best plan of them. Whole buffers count
   where only a window is used; fixed ones are placed before all others. */
struct trials {
    const struct problem *problem;
    struct plan *plan; /* the best one so far */
    struct placer *placer;
    uint64_t *offset;     /* [buffers] of the trial */
    uint64_t deadline_ns; /* looked at once there is a plan */
    uint64_t bound_bytes; /* no plan is below: load, or end of a fixed buffer */
    uint64_t best_bytes;  /* peak of plan, UINT64_MAX before the first */
    uint32_t movables;
};

/* plan, created for the task's problem, stays the caller's. */
enum status trials_create(const struct planner_task *task, struct plan *plan, struct trials *trials,
                          struct error *error);
void trials_free(struct trials *trials);

/* Keeps the plan of the order [movables, with room for buffers] where it is better than the best
   one so far. plan->measures.nodes counts the orders. O(n log n) as a rule. */
enum status trials_try(struct trials *trials, uint32_t *order, bool *better, struct error *error);

/* True when no plan can be better than the best one, or when there is one and the time is up. */
bool trials_are_over(const struct trials *trials);

#endif
