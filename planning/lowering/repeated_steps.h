#ifndef MEMPLAN_PLANNING_LOWERING_REPEATED_STEPS_H
#define MEMPLAN_PLANNING_LOWERING_REPEATED_STEPS_H

#include "planning/lowering/tracks.h"

/* Which steps of the line have to be repeated on which tracks. Track 0 is the line itself. Another
   one is repeated where the line lacks something that is live under a condition, and from where
   this starts until anything else does, so that it meets whatever else is live; of such a stretch,
   only the steps that end a section.

       step       4    5    6    7    8    9    10
       track 0    t    t    t    s    s    s    s      t, u where the one or the other branch of an
       track 1    u    u    u    v    v    v    v      If was taken, s, v of the next
       copied            5    6               9        sections end at 5, 6 and 9 */
struct path_copies {
    uint32_t *first; /* [tracks + 1]; none for track 0 */
    uint32_t *step;  /* [first[tracks]] ascending in a track */
};

/* O(pieces * (tracks + conditions live at once) + steps). Leaves
 *copies fit for path_copies_free where it fails. */
enum status path_copies_create(struct path_copies *copies, uint32_t steps,
                               const struct path_liveness *paths, const struct path_tracks *tracks,
                               struct error *error);
void path_copies_free(struct path_copies *copies);

#endif
