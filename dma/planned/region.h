#ifndef MEMPLAN_DMA_PLANNED_REGION_H
#define MEMPLAN_DMA_PLANNED_REGION_H

#include "dma/planned/schedule.h"
#include "dma/timing/clock.h"
#include "dma/timing/region_times.h"

/* What is needed to time schedules of the regions of a graph, one schedule after another, without
   allocating anything: a clock, and for each operator a list of the transfers that start before
   it. */
struct schedule_walk {
    struct transfer_clock clock; /* at 0 ns with nothing under way */
    uint32_t *first;             /* [operators] the first weights on its list */
    uint32_t *next;              /* [weighted_count] the next weights on the same list */
};

/* The caller clears *walk, also after an error. The space has to outlive it. */
enum status schedule_walk_create(const struct schedule_space *space, struct schedule_walk *walk,
                                 struct error *error);
void schedule_walk_clear(struct schedule_walk *walk);

/* The part of a schedule that belongs to one transfer region, looked at by itself: start[count],
   one for each of its weighted operators that are neither early nor kept. When the region begins,
   the transfers of its early operators are under way and no others. Its weights are live in its own
   steps only. */
struct schedule_region {
    const struct schedule_space *space;
    uint32_t begin, end;         /* the region's operators */
    const uint32_t *weighted_op; /* [count] the operators whose transfers start in the region */
    uint32_t count;
    /* [early_count] the transfers under way when the region begins */
    const struct region_transfer *early;
    uint32_t early_count;
    /* [operators of the graph] bytes of kept weights that are live when it runs; NULL: none */
    const uint64_t *kept_bytes;
    const struct schedule_walk *walk; /* borrowed */
};

/* A region as it is where no operator is early or kept. */
struct schedule_region schedule_region_at(const struct schedule_space *space, uint32_t region,
                                          const struct schedule_walk *walk);

/* A region as it was when a program last ran into it from the region before: the transfers of its
   own early operators that were under way then are written to under_way, which has room for all its
   weighted operators. weighted_op still holds all of them and has to be replaced by the caller. */
struct schedule_region schedule_region_entered(const struct schedule_space *space, uint32_t region,
                                               const struct schedule_walk *walk,
                                               const struct region_times *region_times,
                                               struct region_transfer *under_way);

/* The operators of a region that are neither early nor kept, and their starts. schedule_own_list
   fills both arrays, which have room for all weighted operators of the graph, and returns how many
   there are; schedule_own_take writes the starts back into a schedule. */
struct schedule_own {
    uint32_t *op, *start; /* [weighted_count] those of the region that is looked at */
};
uint32_t schedule_own_list(const struct schedule_space *space, const uint32_t *start,
                           uint32_t region, const struct schedule_own *own);
void schedule_own_take(const struct schedule_space *space, const struct schedule_own *own,
                       uint32_t region, uint32_t *start);

/* How long the region takes, and the greatest load of tensors and weights while it runs. O(its
   operators). */
struct schedule_cost {
    uint64_t time_ns, load_bytes;
};
struct schedule_cost schedule_region_cost(const struct schedule_region *region,
                                          const uint32_t *start);

/* Schedules from which a search may begin, written to start[count]. The ring schedule starts the
   first `buffers - 1` transfers when the region begins, and each other transfer when the weighted
   operator computes that comes `buffers - 1` before its own. That is what mode ring does, and with
   one buffer what mode sync does, which takes least memory. The late schedule starts each transfer
   as late as possible so that no operator waits unless one before it does. O(operators). */
void schedule_region_ring(const struct schedule_region *region, uint32_t buffers, uint32_t *start);
void schedule_region_late(const struct schedule_region *region, uint32_t *start);

/* Moves starts later until no load is above the capacity, first those of the weights that are
   needed last, but never the start of weights number `kept` (UINT32_MAX: none). False where the
   region needs more than the capacity even then; start[] is of no use after that. O(operators +
   moved starts * count). */
bool schedule_region_shrink(const struct schedule_region *region, uint64_t capacity_bytes,
                            uint32_t kept, uint32_t *start);

#endif
