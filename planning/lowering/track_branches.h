#ifndef MEMPLAN_PLANNING_LOWERING_TRACK_BRANCHES_H
#define MEMPLAN_PLANNING_LOWERING_TRACK_BRANCHES_H

#include "core/scratch.h"
#include "planning/liveness/path_liveness.h"
#include "planning/lowering/track_set.h"

/* The branches that each track takes while tracks are being chosen (planning/lowering/tracks.h),
   and the tracks on which each condition holds, which follow from those of its parent. Keeping all
   conditions up to date would take too long: in each round some conditions are watched with all
   their parents, and only these are kept up to date. */
struct path_branches {
    const struct path_liveness *paths;
    struct path_track_set *taken;   /* [regions] tracks that take the branch */
    struct path_track_set *decided; /* [operators] tracks that take any of its branches */
    struct path_track_set *held; /* [conditions] tracks on which it holds; some may be missing for a
                                    condition that is not watched */
    struct path_track_set *open; /* [conditions] tracks on which it holds or may still come to hold;
                                    there may be too many for a condition that is not watched */
    bool *everywhere;  /* [conditions] whether it counts as holding on all tracks, since the tracks
                          are too few for its pairs */
    uint32_t *watched; /* [watches] conditions */
    uint32_t watches, round;
    uint32_t *watched_in; /* [conditions] the last round in which it was watched */
    uint32_t *seen;       /* [regions] the round in which a watched condition first had it, or 0 */
};

/* They live as long as the scratch. O(conditions + graph). */
enum status path_branches_create(struct path_branches *branches, const struct path_liveness *paths,
                                 struct scratch *scratch, struct error *error);

/* Starts a round, in which nothing is watched yet. */
void path_branches_begin(struct path_branches *branches);
/* Watches the condition and all its parents. O(those of them that are not watched in this
   round). */
void path_branches_watch(struct path_branches *branches, uint32_t condition);
/* Lets the track, on which the condition may hold, take all branches that the condition names.
   Returns true where that may make conditions hold on the track that were watched in earlier
   rounds. Afterwards path_branches_refresh has to bring the sets up to date. O(branches of the
   condition). */
bool path_branches_take(struct path_branches *branches, uint32_t condition, uint32_t track);
/* Brings the sets of the first `watches` watched conditions up to date for the track.
   O(watches). */
void path_branches_refresh(struct path_branches *branches, uint32_t track, uint32_t watches);
/* Brings the sets of all conditions up to date. O(conditions). */
void path_branches_refresh_all(struct path_branches *branches);

/* Whether the condition, watched or not, may hold on the track. O(branches of the condition). */
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

/* The tracks on which the condition holds, and those on which it holds or may still come to
   hold. */
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
