#ifndef MEMPLAN_PLANNING_LOWERING_REPEATED_STEPS_H
#define MEMPLAN_PLANNING_LOWERING_REPEATED_STEPS_H

#include "core/groups.h"
#include "planning/lowering/tracks.h"

/* Finds the time steps of each track that have to be repeated behind the end of the line. Track 0
   is the line itself. Another track is repeated from a step at which something becomes live under a
   condition that does not hold on the line until the active conditions change, so that it conflicts
   with all else that is live on the track. Of these steps only those that end a section are
   repeated.

       step       4    5    6    7    8    9    10
       track 0    t    t    t    s    s    s    s      t, u where the one or the other branch of an
       track 1    u    u    u    v    v    v    v      If was taken, s, v of the next
       repeated          5    6               9        sections end at 5, 6 and 9

   *repeats: a list for each track, ascending; that of track 0 is empty. The caller frees it, also
   where this fails. O(intervals * (tracks + conditions live at once) + steps). */
enum status repeated_steps_find(struct groups *repeats, const struct path_liveness *paths,
                                const struct path_tracks *tracks, struct error *error);

#endif
