#ifndef MEMPLAN_DMA_PLANNED_SCHEDULE_H
#define MEMPLAN_DMA_PLANNED_SCHEDULE_H

#include "dma/program/borders.h"
#include "dma/program/program.h"
#include "dma/timing/costs.h"
#include "planning/lowering/level.h"

/* Weights that share the arena with the tensors. The weights of each operator are a buffer of their
   own, live from the operator before which their transfer starts to the one that computes with
   them, so that an earlier start costs memory and a later one time:

       conv1   start conv1, start conv3    conv1 [0, 1)   conv3 [0, 3)
       conv2   start conv2                 conv2 [1, 2)
       conv3                               the three take part in the plan as tensors do

   The first weights of a transfer region may also start early, in each region that may run directly
   before it. Where execution goes elsewhere they are cancelled first of all, so that they take
   memory only until the branch is decided:

       conv1   start a                     a [0, 2) and [2, 3)
       if                                  what the else branch has in memory may share it
         then: a
         else: cancel a, b

   A schedule is start[places]. start[b], of regions->bearers, is the operator of its region before
   which the transfer of a bearer starts, itself (then it waits for all of it) or an earlier one, or
   PREFETCH_EARLY; those that are early come first in their region. Their places, one for each
   border into the region, are at prefetch_place and name an operator of the region before, or its
   end where it has none. Transfers start in the order in which their weights are needed, so starts
   do not fall within a region, nor at a border. */
struct prefetch {
    const struct transfer_regions *regions;
    const struct transfer_costs *costs;
    uint64_t alignment_bytes;
    struct liveness *liveness;
    struct level *level;  /* the tensors alone, policy flat */
    uint64_t *load_bytes; /* [operators] of the tensors that are live when it runs */
    uint64_t *step_bytes; /* [steps + 1] the same of each step */
    struct transfer_borders *borders;
    uint32_t *early; /* [regions] the first of its places, GRAPH_NONE where nothing may be early */
    uint32_t places;
};

#define PREFETCH_EARLY UINT32_MAX

/* Regions and costs have to outlive it. STATUS_BAD_INPUT where tensors and weights together are
   more than a problem may have. O(graph). */
enum status prefetch_create(const struct transfer_regions *regions,
                            const struct transfer_costs *costs, uint64_t alignment_bytes,
                            struct prefetch **prefetch, struct error *error);
void prefetch_free(struct prefetch *prefetch); /* NULL is fine */

/* Of the n-th bearer of a region that may be early, before the border (of borders->border). */
uint32_t prefetch_place(const struct prefetch *prefetch, uint32_t region, uint32_t n,
                        uint32_t border);
/* How many bearers of a region are early. */
uint32_t prefetch_count_early(const struct prefetch *prefetch, const uint32_t *start,
                              uint32_t region);

/* The tensors, then the weights of each bearer, as buffers of one problem. */
enum status prefetch_problem(const struct prefetch *prefetch, const uint32_t *start,
                             struct problem **problem, struct error *error);
/* The most bytes that are live at a step of it. O(graph). */
enum status prefetch_load(const struct prefetch *prefetch, const uint32_t *start,
                          uint64_t *load_bytes, struct error *error);

/* What the chip does: first it cancels what was started for other regions; the transfers that start
   before an operator come first there, then it waits for its own weights. Buffer b is that of
   bearer b. */
enum status prefetch_program(const struct prefetch *prefetch, const uint32_t *start,
                             struct transfer_program **program, struct error *error);

#endif
