#ifndef MEMPLAN_DMA_PLANNED_SEARCH_H
#define MEMPLAN_DMA_PLANNED_SEARCH_H

#include "dma/planned/region.h"

/* Searches the fastest schedule of one region whose load is at most a capacity, and among equally
   fast ones prefers late starts. In small regions all schedules are tried. In others the search
   begins from several schedules. It moves one start earlier, and with it the starts before it that
   would fall behind, to the place that saves most time, for as long as any move saves time. Then it
   moves starts back to the latest place that costs no time. */

/* The greatest number of schedules that a small region has. All of them are tried unless the goal
   leaves too little work for that. */
enum { SCHEDULE_SEARCH_MOST = 20000 };

/* The limits that a schedule must keep to, and for how long it may be searched. When a limit is
   reached the best schedule so far is taken. */
struct schedule_goal {
    uint64_t capacity_bytes; /* UINT64_MAX: none */
    uint64_t deadline_ns;    /* of clock_monotonic_ns; UINT64_MAX: none */
    uint64_t *work_left; /* operators that may still be walked over, counted down; NULL: no limit */
    bool in_order; /* a region's transfers start in the order in which their weights are needed */
};

/* Whether the time or the work is used up. schedule_goal_take subtracts work that was done. */
bool schedule_goal_is_over(const struct schedule_goal *goal);
void schedule_goal_take(const struct schedule_goal *goal, uint64_t walked);

/* start[region->count] holds a schedule to begin with and becomes the best one that was found;
   *cost is its cost. STATUS_NO, without an error text, where no schedule has a load within the
   capacity. */
enum status schedule_search(const struct schedule_region *region, const struct schedule_goal *goal,
                            uint32_t *start, struct schedule_cost *cost, struct error *error);

#endif
