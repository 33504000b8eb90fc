#ifndef MEMPLAN_DMA_PLANNED_FRONT_H
#define MEMPLAN_DMA_PLANNED_FRONT_H

#include "dma/planned/schedule.h"
#include "dma/timing/times.h"

/* The front of mode planned, whose weights travel into the arena itself. When each transfer starts
   is chosen under a capacity (dma/planned/search.h), and a planner places weights and tensors
   together. Over all capacities this gives a front of time against on-chip bytes.

   Of a small graph every schedule is tried (dma/planned/all.h). The front is complete where the
   plans of the best schedules have their loads as peaks and no loop could keep weights: then no
   schedule, however it is placed, takes less time in no more bytes than a point.

   Weights may be kept while a loop makes its turns (dma/planned/keep.h).

   Transfers may start in the region before their own, and be cancelled where execution goes
   elsewhere, if that saves time on average (dma/planned/early.h). */

struct planned_task {
    const struct transfer_regions *regions;
    const struct transfer_costs *costs;
    uint64_t alignment_bytes; /* of every offset; at least 1 */
    uint64_t time_limit_ns;   /* of the search for schedules; UINT64_MAX: none */
    /* This capacity is always among those that are tried, so that the best schedule for it is not
       missed between two points; UINT64_MAX: none. */
    uint64_t capacity_bytes;
    uint32_t most_points; /* about how many capacities are tried; at least 1 */
    bool in_order; /* the transfers of each region start in the order in which weights are needed;
                      else any order is tried too */
    const struct transfer_program *guess; /* of a mode that starts transfers early, from which the
                                             search begins too; NULL: none */

    /* Fills a plan that was created for the problem. The plan is verified afterwards. */
    enum status (*place)(void *context, const struct problem *problem, struct plan *plan,
                         struct error *error);
    void *context;
};

/* One schedule with its plan. */
struct planned_point {
    struct transfer_times times;
    uint64_t on_chip_bytes; /* peak of the plan */
    uint64_t load_bytes;    /* no plan of this schedule has a lower peak */
    uint32_t *start;        /* [space->places] */
    uint64_t *offset;       /* [buffers of schedule_problem] */
};

/* Points that no other one beats in both expected time and bytes, from the fastest, which takes the
   most bytes, to the one with the fewest. There is at least one. */
struct planned_front {
    struct schedule_space *space; /* for schedule_program and schedule_problem of a point */
    struct planned_point *point;  /* [count] */
    uint32_t count;
    uint32_t tried; /* number of schedules that were placed */
    bool complete;  /* no schedule takes less time in no more bytes than a point */
    bool cut_short; /* the time limit ended the search */
    size_t capacity;
};

/* Regions and costs have to outlive the front. STATUS_NO where a plan is not valid. */
enum status planned_front_create(const struct planned_task *task, struct planned_front **front,
                                 struct error *error);
void planned_front_free(struct planned_front *front); /* NULL is fine */
SCOPED_POINTER(struct planned_front, planned_front_release, planned_front_free);

/* The fastest point within the capacity, or NULL. */
const struct planned_point *planned_front_pick(const struct planned_front *front,
                                               uint64_t capacity_bytes);

#endif
