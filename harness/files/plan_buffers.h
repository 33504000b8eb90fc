#ifndef MEMPLAN_HARNESS_FILES_PLAN_BUFFERS_H
#define MEMPLAN_HARNESS_FILES_PLAN_BUFFERS_H

#include "datasets/instance.h"
#include "planning/liveness/liveness.h"
#include "planning/lowering/level.h"
#include "planning/plan/placement.h"

/* An instance as the problem whose buffers a plan file lists: its own, or the flat problem of its
   graph. */
struct plan_buffers {
    const struct instance *instance;
    const struct problem *problem;
    struct level *level;       /* of a graph; owns problem */
    struct liveness *liveness; /* of a graph; says which tensors share a buffer */
};

/* Tensors of a graph that are in one place by placement->overwrites are one buffer; results of Ifs
   for which the placement has an offset have buffers of their own. placement may be NULL. */
enum status plan_buffers_create(const struct instance *instance, const struct placement *placement,
                                struct plan_buffers *buffers, struct error *error);
void plan_buffers_clear(struct plan_buffers *buffers);

/* Between a graph's placement, the one of plan_buffers_create, and a plan of its flat problem, both
   created by the caller. */
enum status plan_buffers_from_placement(const struct plan_buffers *buffers,
                                        const struct placement *placement, struct plan *plan,
                                        struct error *error);
enum status plan_buffers_to_placement(const struct plan_buffers *buffers, const struct plan *plan,
                                      struct placement *placement, struct error *error);

#endif
