#ifndef MEMPLAN_DMA_PREFETCH_H
#define MEMPLAN_DMA_PREFETCH_H

#include "dma/transfer_costs.h"
#include "dma/transfer_program.h"
#include "planning/level.h"

/* Weights that share the arena with the tensors. The weights of each operator are a buffer of their
   own, live from the operator before which their transfer starts to the one that computes with
   them, so that an earlier start costs memory and a later one time:

       conv1   start conv1, start conv3    conv1 [0, 1)   conv3 [0, 3)
       conv2   start conv2                 conv2 [1, 2)
       conv3                               the three take part in the plan as tensors do

   A schedule is start[regions->bearers]: for each operator with weights the operator of its
   transfer region before which its transfer starts, itself (then it waits for all of it) or an
   earlier one. Transfers start in the order in which their weights are needed, so starts do not
   fall within a region. */
struct prefetch {
    const struct transfer_regions *regions;
    const struct transfer_costs *costs;
    uint64_t alignment_bytes;
    struct liveness *liveness;
    struct level *level;  /* the tensors alone, policy flat */
    uint64_t *load_bytes; /* [operators] of the tensors that are live when it runs */
};

/* Regions and costs have to outlive it. STATUS_BAD_INPUT where tensors and weights together are
   more than a problem may have. O(graph). */
enum status prefetch_create(const struct transfer_regions *regions,
                            const struct transfer_costs *costs, uint64_t alignment_bytes,
                            struct prefetch **prefetch, struct error *error);
void prefetch_free(struct prefetch *prefetch); /* NULL is fine */

/* The tensors, then the weights of each bearer, as buffers of one problem. */
enum status prefetch_problem(const struct prefetch *prefetch, const uint32_t *start,
                             struct problem **problem, struct error *error);

/* What the chip does: the transfers that start before an operator come first there, then it waits
   for its own weights. Buffer b is that of bearer b. */
enum status prefetch_program(const struct prefetch *prefetch, const uint32_t *start,
                             struct transfer_program **program, struct error *error);

#endif
