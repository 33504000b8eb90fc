#ifndef MEMPLAN_DMA_PLANNED_SEARCH_H
#define MEMPLAN_DMA_PLANNED_SEARCH_H

#include "dma/planned/region.h"

/* Searches the fastest schedule of one region whose load is at most a capacity, and of those that
   are as fast one with late starts. Small regions are searched completely. Others are searched from
   several schedules: one start is moved earlier, and with it those before it that would fall
   behind, to the place that saves most time, as long as any move saves time. Starts are moved back
   where that costs none. */

/* Regions with at most so many schedules are small, if the goal leaves enough work. */
enum { SCHEDULE_SEARCH_MOST = 20000 };

/* What a schedule must keep to, and how long it may be searched for. When a limit is reached the
   best schedule so far is taken. */
struct schedule_goal {
    uint64_t capacity_bytes; /* UINT64_MAX: none */
    uint64_t deadline_ns;    /* of clock_monotonic_ns; UINT64_MAX: none */
    uint64_t *work_left;     /* operators that may still be walked over, counted down; NULL: any */
    bool in_order; /* a region's transfers start in the order in which their weights are needed */
};

/* Whether a limit is reached, and counts work down. */
bool schedule_goal_is_over(const struct schedule_goal *goal);
void schedule_goal_take(const struct schedule_goal *goal, uint64_t walked);

/* start[region->count] holds a schedule to begin with and becomes the best one found; *cost is what
   that takes. STATUS_NO, without a text, where none has a load within the capacity. */
enum status schedule_search(const struct schedule_region *region, const struct schedule_goal *goal,
                            uint32_t *start, struct schedule_cost *cost, struct error *error);

#endif
