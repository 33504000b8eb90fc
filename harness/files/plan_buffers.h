#ifndef MEMPLAN_HARNESS_FILES_PLAN_BUFFERS_H
#define MEMPLAN_HARNESS_FILES_PLAN_BUFFERS_H

#include "datasets/instance.h"
#include "planning/liveness/liveness.h"
#include "planning/lowering/level.h"
#include "planning/plan/placement.h"

/* The problem whose buffers a plan file lists for an instance: the instance itself if it is a
   problem, or the flat problem of its graph. */
struct plan_buffers {
    const struct instance *instance;
    const struct problem *problem;
    struct level *level;       /* only for a graph; owns the problem */
    struct liveness *liveness; /* only for a graph; says which tensors share a buffer */
};

/* Tensors of a graph that are in one place by placement->overwrites are one buffer. Results of Ifs
   for which the placement has an offset have buffers of their own. placement may be NULL. The
   buffers of a graph need this alignment, as in level_source. Leaves *buffers fit for
   plan_buffers_clear. */
enum status plan_buffers_create(const struct instance *instance, const struct placement *placement,
                                uint64_t alignment_bytes, struct plan_buffers *buffers,
                                struct error *error);
void plan_buffers_clear(struct plan_buffers *buffers);

/* Convert between the placement of a graph, which is the one given to plan_buffers_create, and a
   plan of its flat problem; both are created by the caller. */
enum status plan_buffers_from_placement(const struct plan_buffers *buffers,
                                        const struct placement *placement, struct plan *plan,
                                        struct error *error);
enum status plan_buffers_to_placement(const struct plan_buffers *buffers, const struct plan *plan,
                                      struct placement *placement, struct error *error);

#endif
