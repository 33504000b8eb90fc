#ifndef MEMPLAN_PLANNING_LOWERING_UNCOVERED_PAIRS_H
#define MEMPLAN_PLANNING_LOWERING_UNCOVERED_PAIRS_H

#include <stddef.h>

#include "core/error.h"
#include "planning/lowering/track_set.h"

/* A pair of conditions under which something is live at one step, and which no track has together
   yet. */
struct path_pair {
    uint32_t fresh,
        other;    /* fresh has just become active; other is active, maybe the same condition */
    bool covered; /* some track has both by now */
};

/* An entry of the list that a track has: of the pairs that may come onto it, in their order. */
struct path_pair_entry {
    uint32_t pair, next; /* next entry of the track, or PATH_PAIRS_END */
};
#define PATH_PAIRS_END UINT32_MAX

struct path_pairs {
    struct path_pair *pair; /* [pairs] */
    uint32_t pairs;
    uint32_t left; /* how many of them are not covered */
    uint32_t tracks;
    uint32_t first[PATH_MOST_TRACKS], last[PATH_MOST_TRACKS]; /* [tracks] entries of each list */
    struct path_pair_entry *entry;                            /* [entries] */
    uint32_t entries;
    size_t pair_capacity, entry_capacity;
};

/* Forgets all pairs, and starts lists for so many tracks. Zero-initialise *pairs before the first
   call. */
void path_pairs_start(struct path_pairs *pairs, uint32_t tracks);
void path_pairs_free(struct path_pairs *pairs);

/* Adds the pair to the lists of those tracks that are in `common`. O(tracks in common). */
enum status path_pairs_add(struct path_pairs *pairs, uint32_t fresh, uint32_t other,
                           const struct path_track_set *common, struct error *error);
/* Removes the covered pairs; the lists of the tracks are no longer valid then. O(pairs). */
void path_pairs_compact(struct path_pairs *pairs);

#endif
