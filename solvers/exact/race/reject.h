#ifndef MEMPLAN_SOLVERS_EXACT_RACE_REJECT_H
#define MEMPLAN_SOLVERS_EXACT_RACE_REJECT_H

#include "solvers/exact/race/state.h"

/* What follows from a buffer b lying above the offset L at which it was rejected. In the plan that
   is searched b cannot go down, so

   - it lies on a conflicting buffer c: b's offset is the end of c. When b was rejected c was not
     placed, since all placed buffers that conflict with b end at L or below;
   - some buffer between L and b is not live within b's sections only: otherwise b could go down to
     L and these buffers up by b's size, which makes the sum (state.h) less, since together they
     fill no more than the bytes and sections that b leaves free. Buffers that live exactly as long
     as b and have a worse rank do not count either;
   - some conflicting buffer overlaps [L, L + size): otherwise b could go down to L.

   Each of these says that b lies above one of several buffers c, so above the least of their ends.
   b needs a c of the first two kinds (its support) and one of the third (its filler); a need ends
   when such a c is placed.

   Where other models are along the model, L is another offset in each of the plans, and the plans
   searched are those with the least sum of all their sums. b could go down, and other buffers up,
   only in all plans at once. So c is a support where it is not live within b's sections only or
   can begin below L in one of the plans, and a filler where it overlaps [L, L + size) in one. */

/* Rejects the buffer: from now on it lies above its lowest offset and needs a support and a
   filler. */
void exact_reject_begin(struct exact_state *state, uint32_t buffer);

/* The buffer was placed and needs nothing any more. */
void exact_reject_end(struct exact_state *state, uint32_t buffer);

/* Ends the needs of the rejected buffer that a conflicting buffer, now placed, meets. O(log
   conflicts). */
void exact_reject_meet(struct exact_state *state, uint32_t rejected, uint32_t placed);

/* Restores the needs that a buffer had before. */
void exact_reject_undo(struct exact_state *state, const struct exact_saved_needs *saved);

/* Raises the rejected buffers above the least end of what can meet their needs. False refuses the
   node: nothing that is left can meet a need of one of them. O(conflicts) for each buffer whose
   last answer no longer holds. */
bool exact_reject_refresh(struct exact_state *state);

/* Does the same for one buffer, which needs nothing any more afterwards if rejections do not last
   (rule `persist` is off). */
bool exact_reject_refresh_one(struct exact_state *state, uint32_t buffer);

#endif
