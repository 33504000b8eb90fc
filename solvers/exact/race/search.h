#ifndef MEMPLAN_SOLVERS_EXACT_RACE_SEARCH_H
#define MEMPLAN_SOLVERS_EXACT_RACE_SEARCH_H

#include "solvers/exact/race/order.h"

enum exact_outcome {
    EXACT_FOUND,   /* state->lowest is a plan */
    EXACT_REFUTED, /* no plan has a peak below state->excess, which is above the capacity */
    EXACT_STOPPED, /* at a limit; nothing is known */
};

struct exact_run {
    const struct exact_order *order;
    const uint32_t *rank; /* [buffers] of the order */
    unsigned rules;
    uint64_t capacity;             /* units */
    const struct exact_grid *grid; /* of blocks that suit the capacity */
    uint64_t placements;           /* the most, UINT64_MAX for no limit */
    uint64_t deadline_ns;          /* UINT64_MAX for none */
    const bool *cancelled;         /* by another thread; or NULL */
};

/* So many placements doubled so often, at most 62 times; UINT64_MAX where that is too many. */
static inline uint64_t exact_search_double(uint64_t placements, uint32_t times)
{
    return placements < UINT64_MAX >> times ? placements << times : UINT64_MAX;
}

/* A search tree: its frames are the buffers placed, each of which may be rejected instead. */
struct exact_search;

enum status exact_search_create(const struct exact_model *model, struct exact_search **search,
                                struct error *error);
void exact_search_free(struct exact_search *search); /* NULL is fine */

enum status exact_search_run(struct exact_search *search, const struct exact_run *run,
                             enum exact_outcome *outcome, struct error *error);

/* What the last run left: offsets, excess, counters over all runs. */
const struct exact_state *exact_search_state(const struct exact_search *search);

/* Weights and counters outlive a run. This keeps them as they are, or goes back to what was kept,
   so that a run leaves no trace. O(sections). */
void exact_search_keep(struct exact_search *search);
void exact_search_forget(struct exact_search *search);

#endif
