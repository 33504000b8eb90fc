#ifndef MEMPLAN_DMA_PLANNED_TRIALS_H
#define MEMPLAN_DMA_PLANNED_TRIALS_H

#include "dma/planned/schedule_program.h"
#include "dma/planned/search.h"

/* A search that tries one schedule of the whole graph after another and keeps the best: the one
   with the shortest expected time, and of equals the one with the shortest worst time. */

struct trial {
    uint32_t *start; /* [places] */
    struct transfer_times times;
};

struct trials {
    const struct schedule_space *space;
    const struct schedule_goal *goal;
    uint32_t measure_walks; /* work of measuring a schedule, in walks over all operators */
    struct error *error;
    /* The goal's capacity, or the load of the first schedule where that is larger. */
    uint64_t capacity_bytes;
    struct trial best;  /* the best schedule so far */
    struct trial tried; /* the schedule that is being tried */
    struct trial tuned; /* the same with the other starts of one region searched again */
    /* A schedule that is put aside: where a series of trials began, or what another search has
       found. */
    struct trial other;
    struct schedule_walk walk;
    struct schedule_own own;
    uint64_t *kept_bytes; /* [operators] bytes of kept weights that are live when it runs */
    /* What the search for early operators needs: [weighted_count] transfers under way when the
       region begins that is tuned, and the highest rank that an early operator has so far. */
    struct region_transfer *under_way;
    uint32_t rank;
};

/* Makes start[] the best schedule so far. The caller has set space, goal, measure_walks and error,
   and clears the trials, also after an error. */
enum status trials_begin(struct trials *trials, const uint32_t *start);
void trials_clear(struct trials *trials);

void trials_copy(const struct trials *trials, struct trial *to, const struct trial *from);
bool trials_is_better(const struct transfer_times *times, const struct transfer_times *than);
/* Makes the schedule the best one if it is better. */
void trials_keep(struct trials *trials, const struct trial *trial);

/* Finds the times of a schedule. Where it exceeds the capacity, or has too many states to be timed,
   both times are UINT64_MAX, and above the capacity *run is empty. The caller clears *run. */
enum status trials_run(struct trials *trials, struct trial *trial, struct schedule_run *run);
/* Does the same without giving out the run. */
enum status trials_measure(struct trials *trials, struct trial *trial);

/* Searches again the starts of region r in start[] that are listed in trials->own, as many as the
   region's count; *found says whether any schedule within the capacity was found. */
enum status trials_tune(struct trials *trials, struct schedule_region *region, uint32_t r,
                        uint32_t *start, bool *found);

#endif
