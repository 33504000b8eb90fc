#ifndef MEMPLAN_SOLVERS_EXACT_RACE_HANDOVER_H
#define MEMPLAN_SOLVERS_EXACT_RACE_HANDOVER_H

#include "solvers/exact/race/state.h"

/* Rule `handover`. Of two neighbouring sections let b be live in one only. In the other section its
   bytes belong to buffers that are live only there, since those live in both sections conflict with
   b, or they are free. Where there is little slack, few bytes are free: the buffers left in a
   section lie between its floor and the capacity, so only capacity - floor - bytes left are free.
   All other bytes of b above that floor have to be bytes that the buffers of the other section can
   reach, which begin at their lowest offsets or above:

       section    1   |   2           Left in section 1 are a, which is live in both sections, and
             |        |        |      c, which ends there. The floor is 2 and no byte is to spare.
           8 |--------+ - - - -|      b begins in section 2 and could lie at 2 as well, beside a.
             |   c    |   b ?  |      But c cannot come below 5, so b cannot either.
           5 |--------+--------|
             |   a             |
           2 +-----------------+ */

/* Looks at the borders of all batches that changed, and raises each buffer that would leave more
   bytes free than there can be. False refuses the node: no other buffers can take over the bytes of
   a buffer. No batch may be touched before the call. The conclusions hold for all capacities below
   state->next_capacity, which may be lowered. O(ending * beginning) for each border. */
bool exact_handover_refresh(struct exact_state *state);

#endif
