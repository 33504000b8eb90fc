#ifndef MEMPLAN_PLANNING_LOWERING_TRACKS_H
#define MEMPLAN_PLANNING_LOWERING_TRACKS_H

#include "core/scratch.h"
#include "planning/liveness/path_liveness.h"
#include "planning/lowering/track_set.h"

/* A few ways through the branches of a graph, such that any two intervals that are live at one step
   under conditions that do not exclude each other are live together on one of these tracks.

       if 1 -> r      then a, else b       track   0    1    2    3
       if 2 -> s      then c, else d       if 1    a    b    a    b
       dense reads r, s                    if 2    c    d    d    c

   Two results of two branches each need four tracks; m such results need a number of tracks that
   grows as the logarithm of m. The tracks are a covering array of strength two, grown one operator
   after another (Lei and Tai, "In-parameter-order: a test generation strategy for pairwise
   testing", 1998). Where a track needs no branch of an operator, none is chosen. */

struct path_tracks {
    uint32_t tracks;                  /* at least 1 */
    struct path_track_set *condition; /* [conditions] tracks on which it holds */
    bool is_cautious; /* some conditions count as holding on tracks on which they do not hold */
};

/* Track 0 takes the heaviest branches, by the bytes of their tensors. Where PATH_MOST_TRACKS tracks
   are not enough, conditions whose pairs are left over count as holding on all tracks. This is
   safe, since it only adds conflicts that no path has. The tracks live as long as the scratch.
   O(intervals + new pairs of conditions * tracks). */
enum status path_tracks_create(struct path_tracks *tracks, const struct path_liveness *paths,
                               struct scratch *scratch, struct error *error);

#endif
