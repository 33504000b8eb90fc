#ifndef MEMPLAN_PLANNING_LOWERING_TRACK_BRANCHES_H
#define MEMPLAN_PLANNING_LOWERING_TRACK_BRANCHES_H

#include "planning/liveness/path_liveness.h"
#include "planning/lowering/track_set.h"

/* Which branches the tracks of planning/lowering/tracks.h take while they are being chosen, and on
   which tracks a condition holds then. That of a condition follows from that of its parent; so in
   each round some conditions are watched with all that are above them, parents first. */
struct path_branches {
    const struct path_liveness *paths;
    struct path_track_set *taken;   /* [regions] tracks that take the branch */
    struct path_track_set *decided; /* [operators] tracks that take any of its branches */
    struct path_track_set *held;    /* [conditions] tracks on which it holds; of others than those
                                       watched, which are kept up to date, perhaps too few */
    struct path_track_set *open;    /* [conditions] tracks on which it holds or may hold yet; of
                                       others than those watched perhaps too many */
    bool *everywhere;               /* [conditions] no tracks are enough: taken to hold on all */
    uint32_t *watched;              /* [watches] conditions */
    uint32_t watches, round;
    uint32_t *watched_in; /* [conditions] the last round in which it was */
    uint32_t *seen;       /* [regions] the round in which a watched condition first had it, or 0 */
};

/* Leaves *branches fit for path_branches_free where it fails. O(conditions + graph). */
enum status path_branches_create(struct path_branches *branches, const struct path_liveness *paths,
                                 struct error *error);
void path_branches_free(struct path_branches *branches);

/* Starts a round, in which nothing is watched yet. */
void path_branches_begin(struct path_branches *branches);
/* Watches the condition and all above it. O(those of them that are not watched in this round). */
void path_branches_watch(struct path_branches *branches, uint32_t condition);
/* Lets the track take all branches of the condition, on which it may hold; true where conditions
   that were watched in earlier rounds may hold on the track by that. The sets are left to
   path_branches_refresh. O(branches of the condition). */
bool path_branches_take(struct path_branches *branches, uint32_t condition, uint32_t track);
/* Finds anew whether the first `watches` of those watched hold on the track. O(watches). */
void path_branches_refresh(struct path_branches *branches, uint32_t track, uint32_t watches);
/* Finds on which tracks all conditions hold. O(conditions). */
void path_branches_refresh_all(struct path_branches *branches);

/* Whether the condition may hold on the track, watched or not. O(branches of the condition). */
bool path_branches_may_hold(const struct path_branches *branches, uint32_t condition,
                            uint32_t track);

static inline uint32_t path_branches_owner(const struct path_branches *branches, uint32_t condition)
{
    return branches->paths->graph->region[branches->paths->condition[condition].region].owner;
}

static inline bool path_branches_holds(const struct path_branches *branches, uint32_t condition,
                                       uint32_t track)
{
    return branches->everywhere[condition] || path_set_has(&branches->held[condition], track);
}

/* Tracks on which it holds, and on which it holds or may. */
static inline struct path_track_set path_branches_held(const struct path_branches *branches,
                                                       uint32_t condition)
{
    return branches->everywhere[condition] ? path_set_all() : branches->held[condition];
}

static inline struct path_track_set path_branches_open(const struct path_branches *branches,
                                                       uint32_t condition)
{
    return branches->everywhere[condition] ? path_set_all() : branches->open[condition];
}

#endif
