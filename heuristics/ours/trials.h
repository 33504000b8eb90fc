#ifndef MEMPLAN_HEURISTICS_OURS_TRIALS_H
#define MEMPLAN_HEURISTICS_OURS_TRIALS_H

#include "planning/arena/placer.h"
#include "planning/plan/planner.h"

/* Orders that are tried one after another, each by first fit, and the best plan among them. A
   buffer with a window counts with all its bytes; fixed buffers are placed before all others. */
struct trials {
    const struct problem *problem;
    struct plan *plan; /* the best plan so far */
    struct placer *placer;
    uint64_t *offset;     /* [buffers] of the plan that is being tried */
    uint64_t deadline_ns; /* is respected only once there is a plan */
    uint64_t bound_bytes; /* no plan has a lower peak: the load, or the end of a fixed buffer */
    uint64_t best_bytes;  /* peak of plan, UINT64_MAX before the first */
    uint32_t movables;
};

/* The plan has been created for the task's problem and still belongs to the caller, who frees
   trials->placer; the rest is in the task's scratch. */
enum status trials_create(const struct planner_task *task, struct plan *plan, struct trials *trials,
                          struct error *error);

/* Places the buffers of order[movables], an array with room for all buffers, and keeps the plan if
   it is better than the best one so far. plan->measures.nodes counts the orders. O(n log n) as a
   rule. */
enum status trials_try(struct trials *trials, uint32_t *order, bool *better, struct error *error);

/* True when the best plan cannot be improved, or when there is a plan and the time is up. */
bool trials_are_over(const struct trials *trials);

#endif
