#ifndef MEMPLAN_DMA_PLANNED_ALL_H
#define MEMPLAN_DMA_PLANNED_ALL_H

#include "dma/planned/schedule.h"
#include "dma/timing/times.h"

/* All schedules of a small graph, tried one after another: every start of every transfer, in its
   own region or early, and every order of those that start at one place, except orders for which
   another one is proved to be as fast. */

/* The largest number of schedules for which all are tried. */
enum { SCHEDULE_ALL_MOST = 20000 };

/* Whether the graph has at most SCHEDULE_ALL_MOST schedules, and few enough regions. O(graph). */
bool schedule_all_are_few(const struct schedule_space *space);

struct schedule_candidate {
    struct transfer_times times;
    uint64_t load_bytes;
    uint32_t *start; /* [space->places] */
};

/* The schedules that no other one beats in both expected time and load, from the fastest to the one
   with the least load. Where two are equal in both, the one with the shorter worst time stays, and
   after that the one whose transfers start later. */
struct schedule_candidates {
    struct schedule_candidate *candidate; /* [count] */
    uint32_t count;
    size_t capacity;
    bool complete; /* every schedule was tried: no deadline passed, and all had times */
};

/* Tries all schedules of a graph for which schedule_all_are_few. The caller clears *candidates,
   also after an error. */
enum status schedule_all_try(const struct schedule_space *space, uint64_t deadline_ns,
                             struct schedule_candidates *candidates, struct error *error);
void schedule_candidates_clear(struct schedule_candidates *candidates);

#endif
