#ifndef MEMPLAN_SOLVERS_EXACT_RACE_REJECT_H
#define MEMPLAN_SOLVERS_EXACT_RACE_REJECT_H

#include "solvers/exact/race/state.h"

/* What follows from a buffer b lying above the offset L at which it was rejected. In the plan
   that is searched b cannot go down, so

   - it lies on a conflicting buffer c: its offset is the end of one, which was not placed when b
     was rejected, as all that were end at L or below;
   - of those between L and b some is no buffer that lives within b: otherwise b could go down to L
     and they up by its size, which makes the sum less since together they fill no more than
     the bytes and sections that b leaves free. The same holds of buffers that live exactly as long
     as b and have a worse rank;
   - some conflicting buffer overlaps [L, L + size): otherwise b could go down to L.

   Each says that b lies above one of several buffers c, so above the least of their ends. b needs
   a c of the first two kinds (its support) and one of the third (its filler); a need ends when such
   a c is placed. */

/* From now on the buffer lies above its lowest offset and needs a support and a filler. */
void exact_reject_begin(struct exact_state *state, uint32_t buffer);

/* The buffer was placed and needs nothing any more. */
void exact_reject_end(struct exact_state *state, uint32_t buffer);

/* Ends the needs of the rejected buffer that the conflicting one, now placed, meets. O(log
   conflicts). */
void exact_reject_meet(struct exact_state *state, uint32_t rejected, uint32_t placed);

/* Gives back what a buffer needed before. */
void exact_reject_undo(struct exact_state *state, const struct exact_saved_needs *saved);

/* Raises the rejected buffers above the least end of what can meet their needs. False refuses the
   node: one of them has nothing left that could. O(conflicts) for each whose last answer no longer
   holds. */
bool exact_reject_refresh(struct exact_state *state);

/* The same for one buffer, which then needs nothing any more where rejections do not last (rule
   `persist` is off). */
bool exact_reject_refresh_one(struct exact_state *state, uint32_t buffer);

#endif
