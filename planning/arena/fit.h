#ifndef MEMPLAN_PLANNING_ARENA_FIT_H
#define MEMPLAN_PLANNING_ARENA_FIT_H

#include "planning/arena/gaps.h"
#include "planning/plan/plan.h"
#include "planning/problem/conflicts.h"

/* A rule that chooses one of the gaps that are large enough for a buffer: a row of fits.def. */
struct fit {
    const char *name;
    bool first;      /* takes the first gap */
    bool top;        /* takes the gap above everything */
    bool not_lowest; /* no gap that begins at 0, unless that is the one above everything */
    bool smallest;   /* never wants a gap that is larger than the best one by the alignment */
    bool largest;    /* never wants a gap that is no larger than the best one */
    /* Whether the candidate is better than the best gap so far. The candidate lies above the best
       gap, and is not the gap above everything. */
    bool (*better)(const struct gap *candidate, const struct gap *best);
};

const struct fit *fit_find(const char *name); /* NULL if there is none */

/* Finds the offset that the fit chooses on a walk that has not begun. False if a buffer there would
   end beyond 2^64. O(taken). */
bool fit_choose(const struct fit *fit, struct gap_walk *walk, uint64_t *offset);

/* What fit_place has to know to place buffers one after another. */
struct fit_neighbours {
    const struct problem *problem;
    const struct conflicts *conflicts;
    struct interval *taken; /* [fit_most_taken] scratch */
};

/* Gives a buffer that has no offset in the plan an offset in the gap that the fit chooses, between
   the conflicting buffers that have offsets already. STATUS_BAD_INPUT if every place would end
   beyond 2^64. O(c log c) for c conflicts; for many buffers occupancy.h needs no conflicts. */
enum status fit_place(const struct fit *fit, const struct fit_neighbours *neighbours,
                      uint32_t buffer, struct plan *plan, struct error *error);

/* The greatest number of conflicts that any buffer has. */
uint64_t fit_most_taken(const struct problem *problem, const struct conflicts *conflicts);

#endif
