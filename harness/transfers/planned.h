#ifndef MEMPLAN_HARNESS_TRANSFERS_PLANNED_H
#define MEMPLAN_HARNESS_TRANSFERS_PLANNED_H

#include "datasets/instance.h"
#include "dma/planned/front.h"
#include "dma/run.h"
#include "planning/plan/planner.h"
#include "planning/policies/policy.h"

/* A graph on a chip, and the planner of its memory. */
struct transfer_request {
    const struct instance *instance; /* an instance with a graph */
    struct transfer_setting setting;
    const struct planner *planner;
    const struct policy *policy; /* for the tensors of the graph */
    uint64_t capacity_bytes;     /* UINT64_MAX: none */
    uint64_t time_limit_ns, seed;
    /* For mode planned: transfers start in the order of need, and no weights are kept. */
    bool in_order;
};

/* Runs the mode `planned` with a planner, each plan in a process of its own. */

/* Fills a run with regions and costs, and makes the front of the graph. The search for schedules
   takes at most the time limit, and so do all plans together. The front refers to the run and has
   to be freed before it; the caller clears both, also after an error. */
enum status transfer_planned_search(const struct transfer_request *request,
                                    struct transfer_run *run, struct planned_front **front,
                                    struct error *error);

/* The peak of the tensors alone by the same planner. */
enum status transfer_planned_arena(const struct transfer_request *request,
                                   const struct planned_front *front, uint64_t *arena_bytes,
                                   struct error *error);

/* Completes the run with the program of a point of the front. */
enum status transfer_planned_take(const struct planned_front *front,
                                  const struct planned_point *point, struct transfer_run *run,
                                  struct error *error);

#endif
