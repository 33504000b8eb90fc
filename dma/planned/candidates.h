#ifndef MEMPLAN_DMA_PLANNED_CANDIDATES_H
#define MEMPLAN_DMA_PLANNED_CANDIDATES_H

#include "dma/planned/search.h"
#include "dma/timing/times.h"

/* Schedules of a whole graph that are tried one after another, the best of which is kept: the one
   with the shortest expected time, or the shortest worst one where that is the same. */

/* A schedule with what it takes. */
struct prefetch_candidate {
    uint32_t *start; /* [places] */
    struct transfer_times times;
};

struct prefetch_trials {
    const struct prefetch *prefetch;
    const struct prefetch_goal *goal;
    uint64_t capacity_bytes;
    struct prefetch_candidate best, tried, tuned;
    struct transfer_clock clock;
    struct region_transfer *under_way; /* [bearers] of a region that is tuned */
    struct error *error;
};

/* The struct has prefetch, goal and error and is else zeroed; start[regions->bearers] becomes the
   best, without early weights. The capacity is the goal's, or what that schedule needs. Cleared by
   the caller, also after an error. O(graph). */
enum status prefetch_trials_begin(struct prefetch_trials *trials, const uint32_t *start);
void prefetch_trials_clear(struct prefetch_trials *trials);

/* A limit of the goal is reached. */
bool prefetch_trials_over(const struct prefetch_trials *trials);

void prefetch_trials_copy(const struct prefetch_trials *trials, struct prefetch_candidate *to,
                          const struct prefetch_candidate *from);
/* The early start of a region's n-th bearer before a border. */
uint32_t *prefetch_trials_place(const struct prefetch_trials *trials,
                                const struct prefetch_candidate *candidate, uint32_t region,
                                uint32_t n, uint32_t border);

/* Finds the candidate's times; beyond any where it is above the capacity or they cannot be found.
   O(graph). */
enum status prefetch_trials_measure(struct prefetch_trials *trials,
                                    struct prefetch_candidate *candidate);
/* It becomes the best if it is better. */
void prefetch_trials_keep(struct prefetch_trials *trials,
                          const struct prefetch_candidate *candidate);
/* Measures the schedule in `tried`, as it is and with the other starts of a region searched again,
   and keeps what is better. */
enum status prefetch_trials_try(struct prefetch_trials *trials, uint32_t region);

#endif
