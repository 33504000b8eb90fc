#ifndef MEMPLAN_PLANNING_LOWERING_REPEATED_STEPS_H
#define MEMPLAN_PLANNING_LOWERING_REPEATED_STEPS_H

#include "planning/lowering/tracks.h"

/* Which time steps have to be repeated, behind the end of the line, on which tracks. Track 0 is the
   line itself. Another track is repeated from a step at which something becomes live under a
   condition that does not hold on the line, until the conditions change, so that this meets
   whatever else is live; of such a stretch of steps only those that end a section are repeated.

       step       4    5    6    7    8    9    10
       track 0    t    t    t    s    s    s    s      t, u where the one or the other branch of an
       track 1    u    u    u    v    v    v    v      If was taken, s, v of the next
       repeated          5    6               9        sections end at 5, 6 and 9 */
struct path_repeats {
    uint32_t *first; /* [tracks + 1] the steps of track t are step[first[t]] .. step[first[t + 1] -
                        1]; none for track 0 */
    uint32_t *step;  /* [first[tracks]] ascending in a track */
};

/* O(intervals * (tracks + conditions live at once) + steps). Leaves *repeats fit for
   path_repeats_free where it fails. */
enum status path_repeats_create(struct path_repeats *repeats, const struct path_liveness *paths,
                                const struct path_tracks *tracks, struct error *error);
void path_repeats_free(struct path_repeats *repeats);

#endif
