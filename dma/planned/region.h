#ifndef MEMPLAN_DMA_PLANNED_REGION_H
#define MEMPLAN_DMA_PLANNED_REGION_H

#include "dma/planned/schedule.h"
#include "dma/timing/clock.h"
#include "dma/timing/region_times.h"

/* What it takes to run schedules of regions of one graph, one after another. */
struct schedule_walk {
    struct transfer_clock clock; /* at 0 ns with nothing under way */
    uint32_t *first;             /* [operators] of the transfers that start before it the first */
    uint32_t *next;              /* [weighted_count] the next one that starts there */
};

/* The caller clears *walk, also after an error. The space has to outlive it. */
enum status schedule_walk_create(const struct schedule_space *space, struct schedule_walk *walk,
                                 struct error *error);
void schedule_walk_clear(struct schedule_walk *walk);

/* The part of a schedule that belongs to one transfer region, looked at by itself: start[count],
   one for each of its weighted operators that are not early. The region begins with the transfers
   of its early operators under way and no others, and its weights are live in its own steps only.
 */
struct schedule_region {
    const struct schedule_space *space;
    uint32_t begin, end;         /* operators */
    const uint32_t *weighted_op; /* [count] that are not early */
    uint32_t count;
    const struct region_transfer
        *early; /* [early_count] what is still under way of the early ones */
    uint32_t early_count;
    const uint64_t *kept_bytes;       /* [operators of the graph] of kept weights that are live when
                                         it runs; NULL: none */
    const struct schedule_walk *walk; /* borrowed */
};

/* A region without early operators. */
struct schedule_region schedule_region_at(const struct schedule_space *space, uint32_t region,
                                          const struct schedule_walk *walk);

/* A region into which a border leads, with those of its own transfers under way that are when a
   program has last run into it, written to under_way, which has room for its weighted operators.
   weighted_op still holds them all. */
struct schedule_region schedule_region_entered(const struct schedule_space *space, uint32_t region,
                                               const struct schedule_walk *walk,
                                               const struct region_times *region_times,
                                               struct region_transfer *under_way);

/* Lists the operators of a region that are neither early nor kept, and their starts, as a search
   wants them; returns how many. take_own puts starts back. Both arrays have room for all. */
struct schedule_own {
    uint32_t *op, *start; /* [weighted_count] of the region at hand */
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

/* Schedules from which a search may begin, written to start[count]. Ring starts the first
   `buffers - 1` transfers when the region begins, each other one when the weighted operator so many
   before it computes: as mode ring, with one buffer as sync, which takes least memory. Late starts
   each as late as possible so that no operator waits if none before it does. O(operators). */
void schedule_region_ring(const struct schedule_region *region, uint32_t buffers, uint32_t *start);
void schedule_region_late(const struct schedule_region *region, uint32_t *start);

/* Moves starts later until no load is above the capacity, first those of weights that are needed
   last, but never that of number `kept` (UINT32_MAX: none). False where the region needs more even
   then; start is of no use after that. O(operators), for each start that is moved O(count). */
bool schedule_region_shrink(const struct schedule_region *region, uint64_t capacity_bytes,
                            uint32_t kept, uint32_t *start);

#endif
